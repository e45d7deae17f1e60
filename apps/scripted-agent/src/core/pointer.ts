/** Reads and writes JSON by RFC 6901 pointers, without changing what it was given. */
import type { JsonPatchOperation } from '@triptych/protocol';

type Members = Readonly<Record<string, unknown>>;

const keysOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const valueAt = (document: unknown, pointer: string): unknown =>
  keysOf(pointer).reduce<unknown>(
    (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    document,
  );

export const withValueAt = (document: unknown, pointer: string, value: unknown): unknown => {
  const put = (here: unknown, [key, ...deeper]: readonly string[]): unknown =>
    key === undefined
      ? value
      : { ...(isObject(here) ? here : {}), [key]: put(isObject(here) ? here[key] : undefined, deeper) };
  return put(document, keysOf(pointer));
};

/** The operations that make it so: missing parents first, nothing for what is so already. */
export const opsToSet = (document: unknown, pointer: string, value: unknown): JsonPatchOperation[] => {
  const now = valueAt(document, pointer);
  if (JSON.stringify(now) === JSON.stringify(value)) return [];
  const parents = pointer.split('/').slice(1, -1);
  const missing = parents
    .map((_key, depth) => `/${parents.slice(0, depth + 1).join('/')}`)
    .filter((parent) => !isObject(valueAt(document, parent)));
  return [
    ...missing.map((path): JsonPatchOperation => ({ op: 'add', path, value: {} })),
    { op: now === undefined ? 'add' : 'replace', path: pointer, value },
  ];
};
