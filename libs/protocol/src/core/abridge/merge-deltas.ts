/** Puts the pieces of one text together in the place of the last of them. */
import type { AguiEvent } from '../agui.js';
import type { ToldEntry } from './told-entry.js';

const PIECES: ReadonlySet<string> = new Set([
  'TEXT_MESSAGE_CONTENT',
  'REASONING_MESSAGE_CONTENT',
  'TOOL_CALL_ARGS',
]);
/** Nothing may be moved past these. */
const BREAKS: ReadonlySet<string> = new Set([
  'RUN_STARTED',
  'RUN_FINISHED',
  'RUN_ERROR',
  'MESSAGES_SNAPSHOT',
]);

/** What an event builds on, by id; pieces of a thing must not be moved past anything else that touches it. */
const touched = ({ messageId, toolCallId, parentMessageId, entityId }: AguiEvent): readonly string[] =>
  [messageId, toolCallId, parentMessageId, entityId].filter((id) => typeof id === 'string');

interface Piece {
  readonly at: number;
  readonly entry: ToldEntry;
}

const joined = ({ event: before }: ToldEntry, after: ToldEntry): ToldEntry => {
  const { event } = after;
  const metadata =
    before.metadata === undefined && event.metadata === undefined
      ? {}
      : { metadata: { ...(before.metadata as object), ...(event.metadata as object) } };
  return { ...after, event: { ...event, delta: String(before.delta) + String(event.delta), ...metadata } };
};

export const mergeDeltas = (entries: readonly ToldEntry[]): readonly ToldEntry[] => {
  const told: (ToldEntry | undefined)[] = [];
  const pieces = new Map<string, Piece>();
  for (const entry of entries) {
    const { event } = entry;
    const [id = ''] = touched(event);
    const found = PIECES.has(event.type) ? pieces.get(id) : undefined;
    const isNext = found !== undefined && found.entry.event.type === event.type;
    const merged = isNext ? joined(found.entry, entry) : entry;
    if (isNext) told[found.at] = undefined;
    if (BREAKS.has(event.type)) pieces.clear();
    for (const one of touched(event)) pieces.delete(one);
    if (PIECES.has(event.type)) pieces.set(id, { at: told.length, entry: merged });
    told.push(merged);
  }
  return told.filter((entry) => entry !== undefined);
};
