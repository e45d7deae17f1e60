/** What is legal and still worth an operator's look. */
import { PROTOCOL_VERSION, type KnownEvent } from '../agui.js';
import type { EventOf } from '../event-types.js';
import { isOwned } from './owners.js';
import type { RunGrammar } from './run-grammar.js';

const VERSION = /^(\d{1,4})\.(\d{1,4})(?:\.\d{1,4})?$/;

const rank = (version: string): number | undefined => {
  const match = VERSION.exec(version);
  return match ? Number(match[1]) * 10_000 + Number(match[2]) : undefined;
};

const onVersion = ({ protocolVersion: spoken }: EventOf<'RUN_STARTED'>): string | undefined => {
  if (spoken === undefined) return undefined;
  const theirs = rank(spoken);
  if (theirs === undefined) return `The agent speaks a version that cannot be read: '${spoken}'`;
  return theirs > (rank(PROTOCOL_VERSION) ?? 0)
    ? `The agent speaks ${spoken}, this hub ${PROTOCOL_VERSION}`
    : undefined;
};

const onResult = (run: RunGrammar, { toolCallId }: EventOf<'TOOL_CALL_RESULT'>): string | undefined => {
  if (run.toolCalls.has(toolCallId)) return `A result came while the tool call '${toolCallId}' is open`;
  return isOwned(run.owners, { kind: 'toolCall', id: toolCallId })
    ? undefined
    : `A result came for the unknown tool call '${toolCallId}'`;
};

const SNAPSHOTS = ['STATE_SNAPSHOT', 'MESSAGES_SNAPSHOT'] as const;

/** Whoever comes while people think is shown what the hub has folded; its agent has not said that this is all. */
const onQuestions = (run: RunGrammar, { outcome }: EventOf<'RUN_FINISHED'>): string | undefined => {
  if (outcome?.type !== 'interrupt') return undefined;
  const missing = SNAPSHOTS.filter((kind) => !run.snapshots.has(kind));
  return missing.length === 0 ? undefined : `The run asks, and had no ${missing.join(' and no ')} before`;
};

/** Call before the grammar takes the event in. */
export const remarkOn = (run: RunGrammar, event: KnownEvent): string | undefined => {
  switch (event.type) {
    case 'RUN_STARTED':
      return onVersion(event);
    case 'TOOL_CALL_RESULT':
      return onResult(run, event);
    case 'RUN_FINISHED':
      return onQuestions(run, event);
    case 'TOOL_CALL_START':
      return isOwned(run.owners, { kind: 'toolCall', id: event.toolCallId })
        ? `The tool call '${event.toolCallId}' is opened again: its arguments will be appended`
        : undefined;
    case 'ACTIVITY_SNAPSHOT':
      return isOwned(run.owners, { kind: 'message', id: event.messageId }) && event.replace !== false
        ? `The activity takes the place of the message '${event.messageId}'`
        : undefined;
    default:
      return undefined;
  }
};
