/** Cuts a JSON value down to the subtrees that pointers allow, with the redacted ones replaced. */

/** A fixed text, so that neither length nor kind of what it hides shows. */
export const REDACTED = '[redacted]';

/** RFC 6901; a segment `*` stands for every member or element of one level. */
export const POINTER = /^(\/([^/~]|~[01])*)*$/;
const INDEX = /^(0|[1-9]\d*)$/;

interface PointerNode {
  ends: boolean;
  any?: PointerNode;
  readonly members: Map<string, PointerNode>;
}

/** Which subtrees may be shown, and which of them only as {@link REDACTED}. */
export interface Shape {
  readonly allow: PointerNode;
  readonly redact: PointerNode;
  /** Everything is shown as it is. */
  readonly whole: boolean;
  /** Nothing is ever shown. */
  readonly empty: boolean;
}

export const segmentsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));

const newNode = (): PointerNode => ({ ends: false, members: new Map() });
const isBare = (node: PointerNode): boolean => !node.ends && !node.any && node.members.size === 0;

const child = (node: PointerNode, segment: string): PointerNode => {
  if (segment === '*') return (node.any ??= newNode());
  const next = node.members.get(segment) ?? newNode();
  node.members.set(segment, next);
  return next;
};

const treeOf = (pointers: readonly string[]): PointerNode => {
  const root = newNode();
  for (const pointer of pointers) segmentsOf(pointer).reduce(child, root).ends = true;
  return root;
};

export const shapeOf = (allow: readonly string[], redact: readonly string[] = []): Shape => {
  const [allowed, redacted] = [treeOf(allow), treeOf(redact)];
  return {
    allow: allowed,
    redact: redacted,
    whole: allowed.ends && isBare(redacted),
    empty: isBare(allowed),
  };
};

/** Where the walk stands: the pointers that lead on from here, and whether one has already allowed all of it. */
interface Place {
  readonly allow: readonly PointerNode[];
  readonly redact: readonly PointerNode[];
  readonly within: boolean;
  readonly before?: Cut | undefined;
}

/** A value and what was shown of it: the same value at the same place is cut to the same again. */
export interface Cut {
  readonly full: unknown;
  readonly shown: unknown;
}

const NOWHERE: readonly PointerNode[] = [];
const ends = (node: PointerNode): boolean => node.ends;
const namesElements = (node: PointerNode): boolean => [...node.members.keys()].some((key) => INDEX.test(key));
const reachesElements = (node: PointerNode): boolean => node.any !== undefined || namesElements(node);

const onward = (nodes: readonly PointerNode[], key: string): readonly PointerNode[] => {
  if (nodes.length === 0) return NOWHERE;
  const next: PointerNode[] = [];
  for (const node of nodes) {
    const member = node.members.get(key);
    if (member) next.push(member);
    if (node.any) next.push(node.any);
  }
  return next;
};

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;

const into = ({ allow, redact, within, before }: Place, key: string): Place => ({
  allow: within ? NOWHERE : onward(allow, key),
  redact: onward(redact, key),
  within,
  before: before && { full: memberOf(before.full, key), shown: memberOf(before.shown, key) },
});

/** `__proto__` as a key is data here, never a prototype. */
const put = (target: Record<string, unknown>, key: string, value: unknown): void => {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
};

/** What an element showed before, wherever in the list it stood. */
type Known = (item: unknown, index: number) => unknown;

const NOTHING_KNOWN: Known = () => undefined;

const knownElements = ({ allow, redact, before }: Place): Known => {
  const { full, shown } = before ?? {};
  if (!Array.isArray(full) || !Array.isArray(shown)) return NOTHING_KNOWN;
  const mayMove = !allow.some(namesElements) && !redact.some(namesElements);
  let pieces: ReadonlyMap<unknown, unknown> | undefined;
  return (item, index) => {
    if (index < full.length && full[index] === item) return shown[index];
    if (!mayMove) return undefined;
    pieces ??= new Map(full.map((each: unknown, place) => [each, shown[place]]));
    return pieces.get(item);
  };
};

/** A hidden element leaves its place, or the indexes of the others would lie. */
const HIDDEN_ELEMENT = Object.freeze({});

/** `null` is a value like any other. */
const orElse = (shown: unknown, instead: unknown): unknown => (shown === undefined ? instead : shown);

const cutArray = (items: readonly unknown[], place: Place): unknown => {
  if (!place.within && !place.allow.some(reachesElements)) return undefined;
  const known = knownElements(place);
  return items.map((item, index) => {
    const before = known(item, index);
    return orElse(before === undefined ? cut(item, into(place, String(index))) : before, HIDDEN_ELEMENT);
  });
};

const cutObject = (value: object, place: Place): unknown => {
  const shown: Record<string, unknown> = {};
  let any = place.within;
  for (const [key, item] of Object.entries(value)) {
    const piece = cut(item, into(place, key));
    if (piece === undefined) continue;
    put(shown, key, piece);
    any = true;
  }
  return any ? shown : undefined;
};

const cutContainer = (value: object, place: Place): unknown => {
  const isList = Array.isArray(value);
  // What a list leaves in the place of a hidden element is nothing that an object shows.
  const before = Array.isArray(place.before?.full) === isList ? place.before : undefined;
  return isList ? cutArray(value, { ...place, before }) : cutObject(value, { ...place, before });
};

const cut = (value: unknown, place: Place): unknown =>
  place.before?.full === value ? place.before?.shown : cutAnew(value, place);

const cutAnew = (value: unknown, place: Place): unknown => {
  if (!place.within && place.allow.length === 0) return undefined;
  if (place.redact.some(ends)) return REDACTED;
  const within = place.within || place.allow.some(ends);
  if (within && place.redact.length === 0) return value;
  if (typeof value !== 'object' || value === null) return within ? value : undefined;
  return cutContainer(value, { ...place, within });
};

const rootOf = ({ allow, redact }: Shape): Place => ({
  allow: [allow],
  redact: isBare(redact) ? NOWHERE : [redact],
  within: false,
});

/**
 * What the shape lets through; `{}` where nothing is. Untouched subtrees are the same objects, and with what was cut
 * `before` a small change of a large value is small work.
 */
export const cutTo = (shape: Shape, value: unknown, before?: Cut): unknown => {
  if (shape.whole) return value;
  if (shape.empty) return {};
  return orElse(cut(value, { ...rootOf(shape), before }), {});
};

const placeAt = (shape: Shape, pointer: string): Place & { readonly redacted: boolean } => {
  let place: Place = { ...rootOf(shape), within: shape.allow.ends };
  let redacted = shape.redact.ends;
  for (const segment of segmentsOf(pointer)) {
    const next = into(place, segment);
    place = { ...next, within: next.within || next.allow.some(ends) };
    redacted ||= place.redact.some(ends);
  }
  return { ...place, redacted };
};

/** True when all that lies at the pointer is shown as it is. */
export const showsWhole = (shape: Shape, pointer: string): boolean => {
  const { within, redact, redacted } = placeAt(shape, pointer);
  return within && !redacted && redact.every(isBare);
};

/** True when the pointer lies in, or holds, something redacted. */
export const isRedacted = (shape: Shape, pointer: string): boolean => {
  const { redact, redacted } = placeAt(shape, pointer);
  return redacted || redact.some((node) => !isBare(node));
};
