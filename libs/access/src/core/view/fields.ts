/** The members of each event and message that may leave at all; whatever else one carries goes to the operator only. */
import type { AguiEvent } from '@triptych/protocol';
import { anything, byKind, either, flag, listOf, number, objectOf, oneOf, shaped, text } from './gates.js';
import type { Gate } from './gates.js';

type Members = Readonly<Record<string, Gate>>;

const source = byKind('type', {
  data: objectOf({ type: text, value: text, mimeType: text }),
  url: objectOf({ type: text, value: text, mimeType: text }),
  file: objectOf({ type: text, value: text, provider: text, mimeType: text }),
});
const media = objectOf({ type: text, id: text, source });

/** Text, or parts without their metadata; a kind of part nobody knows is left out. */
export const CONTENT: Gate = either(
  text,
  listOf(
    byKind('type', {
      text: objectOf({ type: text, id: text, text }),
      ...{ image: media, audio: media, video: media, document: media },
    }),
  ),
);

const setsValue = objectOf({ op: text, path: text, value: anything });
const takesFrom = objectOf({ op: text, path: text, from: text });
export const PATCH: Gate = listOf(
  byKind('op', {
    ...{ add: setsValue, replace: setsValue, test: setsValue, move: takesFrom, copy: takesFrom },
    remove: objectOf({ op: text, path: text }),
  }),
);

/** What its producer says it speaks: numbers, or one short word. */
const version = shaped(/^(?:\d{1,4}(?:\.\d{1,4}){0,3}|[a-z]{0,8})$/);

const plain = (members: Members): Gate => objectOf({ type: text, timestamp: number, ...members });
/** Events that may name the subagent they came from. */
const tagged = (members: Members): Gate => plain({ subagentRunId: text, ...members });

/**
 * What the view makes anew is not here: the words of errors, labels, outcomes, messages, inputs, results, and ids of what
 * may be hidden. State and its patches are cut where they are shown.
 */
const EVENTS: ReadonlyMap<string, Gate> = new Map([
  ['RUN_STARTED', plain({ threadId: text, runId: text, protocolVersion: version })],
  ['RUN_FINISHED', plain({ threadId: text, runId: text })],
  ['RUN_ERROR', plain({})],
  ['STEP_STARTED', tagged({})],
  ['STEP_FINISHED', tagged({})],
  ['TEXT_MESSAGE_START', tagged({ messageId: text, role: oneOf('assistant', 'user') })],
  ['TEXT_MESSAGE_CONTENT', tagged({ messageId: text, delta: text })],
  ['TEXT_MESSAGE_END', tagged({ messageId: text })],
  ['TOOL_CALL_START', tagged({ toolCallId: text, parentMessageId: text })],
  ['TOOL_CALL_END', tagged({ toolCallId: text })],
  ['TOOL_CALL_RESULT', tagged({ messageId: text, toolCallId: text, role: oneOf('tool') })],
  ['STATE_SNAPSHOT', tagged({})],
  ['STATE_DELTA', tagged({})],
  ['MESSAGES_SNAPSHOT', plain({})],
  ['ACTIVITY_SNAPSHOT', tagged({ messageId: text, activityType: text, content: anything, replace: flag })],
  ['ACTIVITY_DELTA', tagged({ messageId: text, activityType: text, patch: PATCH })],
  ['REASONING_START', tagged({ messageId: text })],
  ['REASONING_END', tagged({ messageId: text })],
  ['REASONING_MESSAGE_START', tagged({ messageId: text, role: oneOf('reasoning') })],
  ['REASONING_MESSAGE_CONTENT', tagged({ messageId: text, delta: text })],
  ['REASONING_MESSAGE_END', tagged({ messageId: text })],
  ['SUBAGENT_STARTED', tagged({ name: text, description: text, parentSubagentRunId: text })],
  ['SUBAGENT_FINISHED', tagged({})],
  ['SUBAGENT_ERROR', tagged({})],
  ['CUSTOM', tagged({ name: text, value: anything })],
]);

const said = { id: text, role: text, subagentRunId: text };
/**
 * ACC-29: a name is whatever its author put there; the one a surface is shown is put on by the view, as calls, results and
 * errors are. A role that is not here stays hidden, like `system` and `developer`.
 */
export const MESSAGE: Gate = byKind('role', {
  user: objectOf({ ...said, content: CONTENT }),
  assistant: objectOf({ ...said, content: text }),
  tool: objectOf({ ...said, toolCallId: text }),
  activity: objectOf({ ...said, activityType: text, content: anything }),
  reasoning: objectOf({ ...said, content: text }),
});

export const INTERRUPT: Gate = objectOf({
  ...{ id: text, reason: text, message: text, expiresAt: text },
  responseSchema: anything,
});

type Made = Readonly<Record<string, unknown>>;

/** What the gate lets through with what the view made beside it; the value itself when that is all it holds. */
export const leaving = <T extends object>(gate: Gate, given: T, made?: Made): T | undefined => {
  const left = gate(given) as T | undefined;
  if (left === undefined || made === undefined) return left;
  const members = Object.entries({ ...left, ...made }).filter(([, value]) => value !== undefined);
  const isWhole =
    members.length === Object.keys(given).length &&
    members.every(([name, value]) => (given as Made)[name] === value);
  return isWhole ? given : (Object.fromEntries(members) as T);
};

export const trim = (event: AguiEvent, made?: Made): AguiEvent => {
  const gate = EVENTS.get(event.type);
  const left = gate && leaving(gate, event, made);
  if (!left) throw new Error('an event without a list of members has no way out');
  return left;
};
