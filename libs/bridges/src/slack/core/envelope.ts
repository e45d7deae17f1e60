/** Reads what Slack says on a socket that the hub opened. */
type Members = Readonly<Record<string, unknown>>;

export type SocketWord =
  | { readonly kind: 'hello' }
  /** To be acknowledged by its id. */
  | { readonly kind: 'envelope'; readonly id: string; readonly type: string; readonly payload: unknown }
  /** This socket ends soon, or all of them do. */
  | { readonly kind: 'disconnect'; readonly reason: string }
  | { readonly kind: 'other' };

const MAX_ID = 255;
const OTHER: SocketWord = { kind: 'other' };

const parsed = (text: string): Members => {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null ? (read as Members) : {};
  } catch {
    // Whatever it is, it is none of the words that are known.
    return {};
  }
};

export const socketWord = (text: string): SocketWord => {
  const { type, envelope_id: id, payload, reason } = parsed(text);
  if (type === 'hello') return { kind: 'hello' };
  if (type === 'disconnect') return { kind: 'disconnect', reason: typeof reason === 'string' ? reason : '' };
  if (typeof type !== 'string' || typeof id !== 'string' || id === '' || id.length > MAX_ID) return OTHER;
  return { kind: 'envelope', id, type, payload };
};
