/** Knows the 31 event types of AG-UI 1.0 by name. */
import type { AguiEvent, KnownEvent } from './agui.js';

export type EventName = `${KnownEvent['type']}`;

/** The known event of that name. */
export type EventOf<N extends EventName> = KnownEvent extends infer E
  ? E extends { type: infer T extends string }
    ? `${T}` extends N
      ? E
      : never
    : never
  : never;

export const EVENT_TYPES = [
  'TEXT_MESSAGE_START',
  'TEXT_MESSAGE_CONTENT',
  'TEXT_MESSAGE_END',
  'TEXT_MESSAGE_CHUNK',
  'TOOL_CALL_START',
  'TOOL_CALL_ARGS',
  'TOOL_CALL_END',
  'TOOL_CALL_CHUNK',
  'TOOL_CALL_RESULT',
  'STATE_SNAPSHOT',
  'STATE_DELTA',
  'MESSAGES_SNAPSHOT',
  'ACTIVITY_SNAPSHOT',
  'ACTIVITY_DELTA',
  'RAW',
  'CUSTOM',
  'RUN_STARTED',
  'RUN_FINISHED',
  'RUN_ERROR',
  'STEP_STARTED',
  'STEP_FINISHED',
  'REASONING_START',
  'REASONING_MESSAGE_START',
  'REASONING_MESSAGE_CONTENT',
  'REASONING_MESSAGE_END',
  'REASONING_MESSAGE_CHUNK',
  'REASONING_END',
  'REASONING_ENCRYPTED_VALUE',
  'SUBAGENT_STARTED',
  'SUBAGENT_FINISHED',
  'SUBAGENT_ERROR',
] as const satisfies readonly EventName[];

// A set, never an object: a type called `toString` must not be found.
const KNOWN: ReadonlySet<string> = new Set(EVENT_TYPES);

/** The event as one of the 31, told apart by `type`; its members are taken to be judged already. */
export const known = (event: AguiEvent): KnownEvent | undefined =>
  KNOWN.has(event.type) ? (event as unknown as KnownEvent) : undefined;

/** True for the two events that end a run. */
export const isTerminal = (event: { readonly type: string }): boolean =>
  event.type === 'RUN_FINISHED' || event.type === 'RUN_ERROR';
