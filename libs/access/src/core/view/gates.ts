/** Says what of a value may leave, at every depth: what no gate names stays behind. */

/** What of the value leaves: undefined is nothing of it, the value itself is all of it. */
export type Gate = (value: unknown) => unknown;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Any JSON: whoever lets it through has judged it elsewhere. */
export const anything: Gate = (value) => value;
export const text: Gate = (value) => (typeof value === 'string' ? value : undefined);
export const number: Gate = (value) => (typeof value === 'number' ? value : undefined);
export const flag: Gate = (value) => (typeof value === 'boolean' ? value : undefined);

export const oneOf =
  (...words: readonly string[]): Gate =>
  (value) =>
    words.includes(value as string) ? value : undefined;

/** A text of a form that leaves no room for anything else. */
export const shaped =
  (form: RegExp): Gate =>
  (value) =>
    typeof value === 'string' && form.test(value) ? value : undefined;

export const listOf =
  (item: Gate): Gate =>
  (value) => {
    if (!Array.isArray(value)) return undefined;
    const given = value as readonly unknown[];
    const left = given.map(item).filter((one) => one !== undefined);
    return left.length === given.length && left.every((one, index) => one === given[index]) ? given : left;
  };

/** An object of these members alone. */
export const objectOf = (members: Readonly<Record<string, Gate>>): Gate => {
  const gates = new Map(Object.entries(members));
  return (value) => {
    if (!isObject(value)) return undefined;
    const left: Record<string, unknown> = {};
    let whole = true;
    for (const name of Object.keys(value)) {
      const given = value[name];
      const out = gates.get(name)?.(given);
      if (out !== given) whole = false;
      if (out !== undefined) left[name] = out;
    }
    return whole ? value : left;
  };
};

/** Objects of several kinds, told apart by one member; a kind that is not named stays behind. */
export const byKind = (member: string, kinds: Readonly<Record<string, Gate>>): Gate => {
  const gates = new Map(Object.entries(kinds));
  return (value) => (isObject(value) ? gates.get(String(value[member]))?.(value) : undefined);
};

export const either =
  (first: Gate, second: Gate): Gate =>
  (value) =>
    first(value) ?? second(value);
