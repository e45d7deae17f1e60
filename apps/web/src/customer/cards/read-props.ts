/** Reads a card's facts; a fact that is missing or of another kind makes the whole card unusable. */

export class BadFacts extends Error {}

export type Facts = Readonly<Record<string, unknown>>;

export const facts = (props: unknown): Facts => {
  if (typeof props !== 'object' || props === null || Array.isArray(props)) throw new BadFacts();
  return props as Facts;
};

export const textFact = (from: Facts, name: string): string => {
  const value = from[name];
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw new BadFacts();
};

export const textIf = (from: Facts, name: string): string | undefined =>
  from[name] === undefined || from[name] === null ? undefined : textFact(from, name);

export const numberFact = (from: Facts, name: string): number => {
  const value = from[name];
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new BadFacts();
};

export const numberIf = (from: Facts, name: string): number | undefined =>
  from[name] === undefined || from[name] === null ? undefined : numberFact(from, name);

export const listFact = (from: Facts, name: string): readonly Facts[] => {
  const value = from[name];
  if (!Array.isArray(value) || value.length === 0) throw new BadFacts();
  return value.map(facts);
};

export const numbersFact = (from: Facts, name: string): readonly number[] => {
  const value = from[name];
  if (!Array.isArray(value) || value.length < 2 || !value.every(Number.isFinite)) throw new BadFacts();
  return value as readonly number[];
};
