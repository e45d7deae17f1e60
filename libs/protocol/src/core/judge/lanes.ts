/** Writes chunks out as the openers, pieces and closers they stand for, one lane for each agent or subagent. */
import type { AguiEvent, KnownEvent } from '../agui.js';
import { chunkKind, type ChunkKind } from './chunk-kinds.js';
import { isViolation, violation, type Violation } from './violations.js';

/** The agent (undefined) or the subagent that a lane belongs to. */
type Owner = string | undefined;

/** The one stream that a lane is putting together. */
export interface Lane {
  readonly kind: ChunkKind;
  readonly id: string;
  readonly opener: AguiEvent;
  readonly owner: Owner;
}

export type Lanes = Map<Owner, Lane>;

type Chunk = Readonly<Record<string, unknown>> & { readonly subagentRunId?: string; readonly delta?: string };

/** These close the lane of their own agent or subagent: the shorthand "as before" has lost its "before". */
const CLOSES_OWN: ReadonlySet<string> = new Set([
  'TEXT_MESSAGE_START',
  'TEXT_MESSAGE_CONTENT',
  'TEXT_MESSAGE_END',
  'TOOL_CALL_START',
  'TOOL_CALL_ARGS',
  'TOOL_CALL_END',
  'TOOL_CALL_RESULT',
  'STATE_SNAPSHOT',
  'STATE_DELTA',
  'CUSTOM',
  'STEP_STARTED',
  'STEP_FINISHED',
  'REASONING_START',
  'REASONING_MESSAGE_START',
  'REASONING_MESSAGE_CONTENT',
  'REASONING_MESSAGE_END',
  'REASONING_END',
  'SUBAGENT_FINISHED',
  'SUBAGENT_ERROR',
]);

/** These speak for the whole run. */
const CLOSES_ALL: ReadonlySet<string> = new Set([
  'RUN_STARTED',
  'RUN_FINISHED',
  'RUN_ERROR',
  'MESSAGES_SNAPSHOT',
]);

const NOTHING: readonly AguiEvent[] = [];

const taggedWith = (owner: Owner): { subagentRunId?: string } =>
  owner === undefined ? {} : { subagentRunId: owner };

const closeLane = (lanes: Lanes, owner: Owner): readonly AguiEvent[] => {
  const lane = lanes.get(owner);
  if (!lane) return NOTHING;
  lanes.delete(owner);
  return [{ type: lane.kind.end, [lane.kind.id]: lane.id, ...taggedWith(lane.owner) }];
};

/** The closers that come before an event that is no chunk. */
export const closersBefore = (lanes: Lanes, event: KnownEvent): readonly AguiEvent[] => {
  if (lanes.size === 0) return NOTHING;
  if (CLOSES_OWN.has(event.type))
    return closeLane(lanes, (event as { subagentRunId?: string }).subagentRunId);
  if (CLOSES_ALL.has(event.type)) return [...lanes.keys()].flatMap((owner) => closeLane(lanes, owner));
  return NOTHING;
};

/** Whose lane the chunk goes on: the named stream's, else the tag's, else the parent's, else the only one there is. */
const laneOwner = (lanes: Lanes, kind: ChunkKind, chunk: Chunk): { readonly owner: Owner } | Violation => {
  const id = chunk[kind.id];
  const tag = chunk.subagentRunId;
  const ofKind = [...lanes.values()].filter((lane) => lane.kind === kind);
  if (id !== undefined) {
    const holder = ofKind.find((lane) => lane.id === id);
    if (holder && tag !== undefined && tag !== holder.owner)
      return violation('wrong-owner', `The ${kind.noun} '${holder.id}' is not of subagent '${tag}'.`);
    return { owner: holder ? holder.owner : tag };
  }
  if (tag !== undefined || lanes.get(undefined)?.kind === kind) return { owner: tag };
  if (ofKind.length > 1)
    return violation('chunk-ambiguous', `${ofKind.length} subagents have a ${kind.noun} open; say which.`);
  return { owner: ofKind[0]?.owner };
};

const contradiction = ({ kind, id, opener }: Lane, chunk: Chunk): Violation | undefined => {
  const changed = kind.agreed.find((key) => chunk[key] !== undefined && chunk[key] !== opener[key]);
  if (changed === undefined) return undefined;
  return violation(
    'chunk-conflict',
    `The ${kind.noun} '${id}' was opened with another ${changed}.`,
    `/${changed}`,
  );
};

const openerOf = (kind: ChunkKind, chunk: Chunk): AguiEvent => {
  const given = [...kind.agreed, 'metadata', 'subagentRunId'].filter((key) => chunk[key] !== undefined);
  return {
    type: kind.start,
    [kind.id]: chunk[kind.id],
    ...kind.opener,
    ...Object.fromEntries(given.map((key) => [key, chunk[key]])),
  };
};

/** The chunk's own content; the provider's raw event goes with it, for it is what the producer really sent. */
const pieceOf = ({ kind, id, owner }: Lane, chunk: Chunk): AguiEvent => ({
  type: kind.piece,
  [kind.id]: id,
  delta: chunk.delta ?? '',
  ...taggedWith(chunk.subagentRunId ?? owner),
  ...(chunk.metadata === undefined ? {} : { metadata: chunk.metadata }),
  ...(chunk.rawEvent === undefined ? {} : { rawEvent: chunk.rawEvent }),
});

const continued = (lane: Lane, chunk: Chunk): readonly AguiEvent[] | Violation => {
  const conflict = contradiction(lane, chunk);
  if (conflict) return conflict;
  const carries = chunk.delta !== undefined || chunk.metadata !== undefined || chunk.rawEvent !== undefined;
  return carries ? [pieceOf(lane, chunk)] : NOTHING;
};

const opened = (lanes: Lanes, lane: Lane, chunk: Chunk): readonly AguiEvent[] => {
  const closers = closeLane(lanes, lane.owner);
  lanes.set(lane.owner, lane);
  const carries = chunk.delta !== undefined || chunk.rawEvent !== undefined;
  return [...closers, lane.opener, ...(carries ? [pieceOf(lane, chunk)] : NOTHING)];
};

/** The events a chunk stands for. */
export const expandChunk = (lanes: Lanes, event: KnownEvent): readonly AguiEvent[] | Violation => {
  const kind = chunkKind(event.type);
  if (!kind) return NOTHING;
  const chunk = event as unknown as Chunk;
  const place = laneOwner(lanes, kind, chunk);
  if (isViolation(place)) return place;
  const lane = lanes.get(place.owner);
  const id = chunk[kind.id];
  if (lane?.kind === kind && (id === undefined || id === lane.id)) return continued(lane, chunk);
  const missing = [kind.id, ...kind.needs].find((key) => chunk[key] === undefined);
  if (missing !== undefined)
    return violation('chunk-without-id', `The first ${kind.chunk} must have a ${missing}.`, `/${missing}`);
  const next: Lane = { kind, id: String(id), opener: openerOf(kind, chunk), owner: place.owner };
  return opened(lanes, next, chunk);
};
