/** Reads the frames that fan-out answers itself, and says which frames must wait for each other. */
import {
  asPosition,
  asThreadId,
  isPrintableId,
  type ClientFrameName,
  type Position,
  type ThreadId,
} from '@triptych/protocol';
import type { KnownFrame } from './client-frame.js';

const OWN_FRAMES = ['subscribe', 'unsubscribe', 'ack', 'ping'] as const satisfies readonly ClientFrameName[];
type OwnFrameName = (typeof OWN_FRAMES)[number];
/** What others answer. */
export type HandledFrame = Exclude<ClientFrameName, OwnFrameName>;

export type OwnFrame =
  | { readonly kind: 'subscribe'; readonly thread: ThreadId; readonly from: Position | undefined }
  | { readonly kind: 'unsubscribe'; readonly thread: ThreadId }
  | { readonly kind: 'ack'; readonly thread: ThreadId; readonly pos: Position }
  | { readonly kind: 'ping' };

export type ReadOwnFrame =
  | { readonly kind: 'own'; readonly frame: OwnFrame }
  | { readonly kind: 'handled'; readonly event: HandledFrame }
  | { readonly kind: 'fault'; readonly pointer: string };

/** Longer than any position; what is longer is not read at all. */
const MAX_POSITION = 256;

type Data = Readonly<Record<string, unknown>>;

const positionIn = (value: unknown): Position | undefined =>
  typeof value === 'string' && value.length <= MAX_POSITION ? asPosition(value) : undefined;

const fault = (pointer: string): ReadOwnFrame => ({ kind: 'fault', pointer });
const own = (frame: OwnFrame): ReadOwnFrame => ({ kind: 'own', frame });

const readOwn = (event: OwnFrameName, data: Data): ReadOwnFrame => {
  if (event === 'ping') return own({ kind: 'ping' });
  if (!isPrintableId(data['threadId'])) return fault('/data/threadId');
  const thread = asThreadId(data['threadId']);
  if (event === 'unsubscribe') return own({ kind: 'unsubscribe', thread });
  if (event === 'ack') {
    const pos = positionIn(data['pos']);
    return pos === undefined ? fault('/data/pos') : own({ kind: 'ack', thread, pos });
  }
  const from = positionIn(data['from']);
  if (data['from'] !== undefined && from === undefined) return fault('/data/from');
  return own({ kind: 'subscribe', thread, from });
};

const isOwn = (event: ClientFrameName): event is OwnFrameName =>
  (OWN_FRAMES as readonly string[]).includes(event);

export const readOwnFrame = ({ event, data }: KnownFrame): ReadOwnFrame =>
  isOwn(event) ? readOwn(event, data) : { kind: 'handled', event };

/** Frames with the same key are answered in the order they came. */
export const orderKeyOf = ({ event, data }: KnownFrame): string => {
  if (typeof data['threadId'] === 'string') return `thread ${data['threadId']}`;
  if (typeof data['taskId'] === 'string') return `task ${data['taskId']}`;
  return event.split('.', 1)[0] ?? event;
};
