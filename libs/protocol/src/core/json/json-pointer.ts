/** Reads JSON Pointers (RFC 6901) strictly, and walks values by own members only. */
const POINTER = /^(?:\/(?:[^/~]|~[01])*)*$/;
/** A leading zero is no index: `/list/01` names nothing. */
const INDEX = /^(?:0|[1-9][0-9]{0,15})$/;

export type Tokens = readonly string[];

/** The reference tokens of a pointer; undefined when it is none. */
export const readPointer = (pointer: unknown): Tokens | undefined => {
  if (typeof pointer !== 'string' || !POINTER.test(pointer)) return undefined;
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
};

export const escapeToken = (token: string): string => token.replaceAll('~', '~0').replaceAll('/', '~1');

export const writePointer = (path: readonly PropertyKey[]): string =>
  path.map((key) => `/${escapeToken(String(key))}`).join('');

/** True for a path that a prototype could be reached by; no patch may name one, whatever the document holds. */
export const reachesPrototype = (path: Tokens): boolean =>
  path.some(
    (token, index) =>
      token === '__proto__' || (token === 'prototype' && index > 0 && path[index - 1] === 'constructor'),
  );

/** The index a token names in an array; `size` itself counts, for one past the end. */
export const indexIn = (token: string, size: number): number | undefined => {
  const index = INDEX.test(token) ? Number(token) : Number.NaN;
  return index <= size ? index : undefined;
};

/** The own member that a token names, boxed so that a stored `undefined` or `null` is not "absent". */
export const memberOf = (container: unknown, token: string): { readonly value: unknown } | undefined => {
  if (Array.isArray(container)) {
    const index = indexIn(token, container.length - 1);
    return index === undefined ? undefined : { value: container[index] };
  }
  if (typeof container !== 'object' || container === null) return undefined;
  return Object.hasOwn(container, token)
    ? { value: (container as Record<string, unknown>)[token] }
    : undefined;
};

/** What a path leads to, or undefined where it leads nowhere. */
export const resolvePath = (root: unknown, path: Tokens): { readonly value: unknown } | undefined => {
  let here: { readonly value: unknown } | undefined = { value: root };
  for (const token of path) {
    here = memberOf(here.value, token);
    if (!here) return undefined;
  }
  return here;
};
