/** Judges what an agent sends, one event's text after another: what is legal goes on, the first violation ends it. */
import type { AguiEvent, KnownEvent, Message } from '../agui.js';
import { known } from '../event-types.js';
import {
  MAX_DEPTH,
  MAX_EVENT_BYTES,
  MAX_INTERRUPTS,
  MAX_PATCH_OPS,
  MAX_SNAPSHOT_BYTES,
  type EventLimits,
} from '../limits.js';
import { checkShape } from './check-shape.js';
import { chunkKind } from './chunk-kinds.js';
import { beginDialect, translate, type Dialect } from './dialect.js';
import { closersBefore, expandChunk, type Lanes } from './lanes.js';
import { readEvent, type ReadEvent } from './read-event.js';
import { remarkOn } from './remarks.js';
import { ownMessages, ownTold } from './owners.js';
import { beginGrammar, type RunGrammar } from './run-grammar.js';
import { stepGrammar } from './step-grammar.js';
import { isViolation, type Violation } from './violations.js';

/** What a stream is judged against. */
export interface Expected {
  readonly threadId: string;
  readonly runId: string;
  /** UTF-8 bytes of one event; MESSAGES_SNAPSHOT, STATE_SNAPSHOT and RUN_STARTED have `maxSnapshotBytes`. */
  readonly maxEventBytes?: number;
  readonly maxSnapshotBytes?: number;
  readonly maxDepth?: number;
  readonly maxPatchOps?: number;
  readonly maxInterrupts?: number;
  /** The thread's messages so far, those this run adds included: they have owners already. */
  readonly history?: readonly Message[];
}

/** Where a stream stands. A state is used once: each judgement gives the next, and may have changed this one. */
export interface JudgeState {
  readonly limits: EventLimits;
  readonly dialect: Dialect;
  readonly lanes: Lanes;
  readonly run: RunGrammar;
}

/** A legal event; `json` is the producer's own text unless the event had to be written anew. */
export interface JudgedEvent {
  readonly event: AguiEvent;
  readonly json: string;
}

export type Judged =
  | {
      readonly ok: true;
      readonly state: JudgeState;
      readonly events: readonly JudgedEvent[];
      readonly warnings: readonly string[];
    }
  | {
      readonly ok: false;
      readonly rule: string;
      readonly message: string;
      readonly pointer?: string;
      /** What was legal before the violation. */
      readonly legal: readonly JudgedEvent[];
    };

const NO_EVENTS: readonly JudgedEvent[] = [];

const limitsOf = (expected: Expected): EventLimits => ({
  bytes: expected.maxEventBytes ?? MAX_EVENT_BYTES,
  snapshotBytes: expected.maxSnapshotBytes ?? MAX_SNAPSHOT_BYTES,
  depth: expected.maxDepth ?? MAX_DEPTH,
  patchOps: expected.maxPatchOps ?? MAX_PATCH_OPS,
  interrupts: expected.maxInterrupts ?? MAX_INTERRUPTS,
});

export const beginJudge = (expected: Expected): JudgeState => {
  const run = beginGrammar(expected.threadId, expected.runId);
  ownMessages(run.owners, expected.history ?? [], ownTold);
  return {
    limits: limitsOf(expected),
    dialect: beginDialect(expected.runId),
    lanes: new Map(),
    run,
  };
};

const refused = (fault: Violation, legal: readonly JudgedEvent[] = NO_EVENTS): Judged => ({
  ok: false,
  ...fault,
  legal,
});

/** PRO-8: kept for the operator; outside a run there is no place in the log for it. */
const unknownEvent = (state: JudgeState, read: ReadEvent): Judged => ({
  ok: true,
  state,
  events: state.run.phase === 'open' ? [read] : NO_EVENTS,
  warnings: [`The event type '${read.event.type}' is not of this version`],
});

const written = (event: AguiEvent): JudgedEvent => ({ event, json: JSON.stringify(event) });

/** Takes events in one by one; stops at the first that the grammar refuses. */
const takeAll = (state: JudgeState, events: readonly JudgedEvent[], warnings: readonly string[]): Judged => {
  for (const [index, { event }] of events.entries()) {
    const fault = stepGrammar(state.run, event as unknown as KnownEvent);
    if (fault) return refused(fault, events.slice(0, index));
  }
  return { ok: true, state, events, warnings };
};

/** What the grammar is shown of the event, and what goes on in its place. */
interface Taken {
  readonly seen: KnownEvent;
  readonly judged: JudgedEvent;
  readonly warnings: readonly string[];
}

const takeChunk = (state: JudgeState, { seen, warnings }: Taken): Judged => {
  const expanded = expandChunk(state.lanes, seen);
  return isViolation(expanded) ? refused(expanded) : takeAll(state, expanded.map(written), warnings);
};

const takeOne = (state: JudgeState, { seen, judged, warnings }: Taken): Judged => {
  const closers = closersBefore(state.lanes, seen).map(written);
  const closed = closers.length === 0 ? undefined : takeAll(state, closers, warnings);
  if (closed && !closed.ok) return closed;
  const remark = remarkOn(state.run, seen);
  const fault = stepGrammar(state.run, seen);
  if (fault) return refused(fault, closers);
  return {
    ok: true,
    state,
    events: closers.length === 0 ? [judged] : [...closers, judged],
    warnings: remark === undefined ? warnings : [...warnings, remark],
  };
};

export const judge = (state: JudgeState, text: string): Judged => {
  const read = readEvent(text, state.limits);
  if (isViolation(read)) return refused(read);
  const event = translate(state.dialect, read.event);
  const judged = event === read.event ? read : written(event);
  if (!known(event)) return unknownEvent(state, judged);
  const shaped = checkShape(event, state.limits);
  if (isViolation(shaped)) return refused(shaped);
  const translated =
    event === read.event ? shaped.warnings : [`${read.event.type} was translated`, ...shaped.warnings];
  const taken: Taken = { seen: shaped.event, judged, warnings: translated };
  return chunkKind(event.type) ? takeChunk(state, taken) : takeOne(state, taken);
};

/** How the stream stands when it ends: complete when every run that was begun, and at least one, has an end. */
export const judgeEnd = ({ run }: JudgeState): { readonly complete: boolean; readonly started: boolean } => ({
  complete: run.phase === 'finished' || run.phase === 'failed',
  started: run.runIds.size > 0,
});
