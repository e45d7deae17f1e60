/** Brands the names that must not be mixed up: threads and positions. */
declare const brand: unique symbol;
type Brand<B extends string> = { readonly [brand]: B };

/** One conversation; 1–256 printable characters, unique in the deployment. */
export type ThreadId = string & Brand<'ThreadId'>;
/** Where a reader stands on one surface of one thread; opaque, compared only for equality. */
export type Position = string & Brand<'Position'>;

const MAX_ID_LENGTH = 256;
/** Printable: no control characters (C0, DEL, C1), no line or paragraph separators, no lone surrogates. */
const PRINTABLE = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]+$/u;

/** True for a usable threadId or runId: 1–256 printable characters. */
export const isPrintableId = (value: unknown): value is string =>
  typeof value === 'string' && value.length >= 1 && value.length <= MAX_ID_LENGTH && PRINTABLE.test(value);

/** Brands a string known to be a thread id; check with {@link isPrintableId} at the doors. */
export const asThreadId = (value: string): ThreadId => value as ThreadId;
export const asPosition = (value: string): Position => value as Position;
