/** Shows lists of messages: snapshots of a conversation, and what a run added to it. */
import { createHash } from 'node:crypto';
import { anyGlobMatches } from '../glob.js';
import { REDACTED } from '../shape.js';
import { leaving, MESSAGE } from './fields.js';
import { text } from './gates.js';
import { lookUp, withEntry } from './long-map.js';
import { resultShapeOf } from './own-calls.js';
import { AGENT_VOICE } from './text.js';
import { cutContent, cutText, nameOf, toolViewOf } from './tools.js';
import { isForeign } from './view.js';
import type { Call, ProjectedView } from './view.js';

type RawMessage = Readonly<Record<string, unknown>> & { readonly id: string; readonly role: string };

interface RawCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

/** Who says so: an agent restates a conversation as it likes; the hub knows what people said themselves. */
export type Origin = 'agent' | 'hub';

type ShowMessage = (view: ProjectedView, message: RawMessage, origin: Origin) => RawMessage | undefined;

const callsIn = (message: RawMessage): readonly RawCall[] =>
  Array.isArray(message['toolCalls']) ? (message['toolCalls'] as RawCall[]) : [];

/** What someone said may hold pictures: a digest is enough to know it again. */
const digestOf = (message: RawMessage): string =>
  createHash('sha256')
    .update(JSON.stringify(message['content']) ?? '')
    .digest('base64');

const showUser: ShowMessage = (view, message, origin) => {
  const own = origin === 'hub' || lookUp(view.said, message.id) === digestOf(message);
  return leaving(MESSAGE, message, { name: own ? undefined : AGENT_VOICE });
};

const showCall = (view: ProjectedView, call: RawCall): RawCall[] => {
  const known = lookUp(view.calls, call.id);
  if (!known?.shownAs) return [];
  // What is still open sends its arguments at its end; giving them here too would give them twice.
  const told = view.open.calls.has(call.id) ? '' : call.function.arguments;
  const name = nameOf(known.shownAs, known.name);
  const shown = { name, arguments: cutText(known.shownAs.args, told) };
  return [{ id: call.id, type: 'function', function: shown } as RawCall];
};

const showAssistant: ShowMessage = (view, message) => {
  const calls = callsIn(message);
  const toolCalls = calls.flatMap((call) => showCall(view, call));
  const speaks = (message['content'] ?? '') !== '' || lookUp(view.messages, message.id) === true;
  if (calls.length > 0 && toolCalls.length === 0 && !speaks) return undefined;
  return leaving(MESSAGE, message, { toolCalls: toolCalls.length > 0 ? toolCalls : undefined });
};

/** What the hub itself says of calls nobody answered; it tells no more than that. */
const isHubsWord = (error: unknown): boolean => error === 'cancelled' || error === 'expired';

const showToolMessage: ShowMessage = (view, message) => {
  const call = lookUp(view.calls, String(message['toolCallId']));
  const shape = call && resultShapeOf(view, call);
  if (!shape) return undefined;
  const { error } = message;
  return leaving(MESSAGE, message, {
    content: cutContent(shape, message['content']),
    error: error === undefined || shape.whole || isHubsWord(error) ? text(error) : REDACTED,
  });
};

const showPlain: ShowMessage = (_view, message) => leaving(MESSAGE, message);

const SHOW: ReadonlyMap<string, ShowMessage> = new Map<string, ShowMessage>([
  ['user', showUser],
  ['assistant', showAssistant],
  ['tool', showToolMessage],
  [
    'activity',
    (view, message, origin) =>
      anyGlobMatches(view.allowed.activities, String(message['activityType']))
        ? showPlain(view, message, origin)
        : undefined,
  ],
  [
    'reasoning',
    (view, message, origin) => (view.allowed.reasoning ? showPlain(view, message, origin) : undefined),
  ],
]);

/** A role nobody knows has no way out, like `system` and `developer`. */
const showMessage: ShowMessage = (view, message, origin) =>
  isForeign(view, message) ? undefined : SHOW.get(message.role)?.(view, message, origin);

const learnCall = (view: ProjectedView, call: RawCall, foreign: boolean): ProjectedView => {
  const known = lookUp(view.calls, call.id);
  const allowed = known ? known.shownAs : toolViewOf(view, call.function.name);
  const learnt: Call = {
    name: known?.name ?? call.function.name,
    text: call.function.arguments,
    ...(allowed && !foreign ? { shownAs: allowed } : {}),
  };
  return { ...view, calls: withEntry(view.calls, call.id, learnt) };
};

/** Calls first, so that a result finds its call wherever it stands in the list. */
const learnCalls = (view: ProjectedView, messages: readonly RawMessage[], origin: Origin): ProjectedView => {
  let learnt = view;
  for (const message of messages)
    for (const call of callsIn(message))
      if (origin === 'agent' || !lookUp(view.calls, call.id))
        learnt = learnCall(learnt, call, isForeign(view, message) || message.role !== 'assistant');
  return learnt;
};

const learnMessage = (
  view: ProjectedView,
  message: RawMessage,
  shown: RawMessage | undefined,
): ProjectedView => {
  if (message.role === 'reasoning')
    return { ...view, reasoning: withEntry(view.reasoning, message.id, !!shown) };
  if (message.role === 'activity')
    return { ...view, activities: withEntry(view.activities, message.id, !!shown) };
  // An assistant message left out for having nothing to show may still come to say something.
  if (message.role === 'assistant' && !shown && !isForeign(view, message)) return view;
  return { ...view, messages: withEntry(view.messages, message.id, !!shown) };
};

const learnSaid = (view: ProjectedView, message: RawMessage): ProjectedView =>
  message.role === 'user' && lookUp(view.said, message.id) === undefined
    ? { ...view, said: withEntry(view.said, message.id, digestOf(message)) }
    : view;

const isNewCall = (view: ProjectedView, { id, function: { name, arguments: text } }: RawCall): boolean => {
  const known = lookUp(view.calls, id);
  return known?.name !== name || known.text !== text;
};

const isNewWork = (view: ProjectedView, message: RawMessage): boolean =>
  lookUp(view.messages, message.id) === undefined &&
  (message.role === 'tool' || message['subagentRunId'] !== undefined);

/** Whether an agent reports work by a snapshot alone: calls, results or messages of subagents not seen before. */
export const reportsWork = (view: ProjectedView, list: unknown): boolean =>
  ((Array.isArray(list) ? list : []) as RawMessage[]).some(
    (message) => isNewWork(view, message) || callsIn(message).some((call) => isNewCall(view, call)),
  );

export interface ShownMessages {
  readonly view: ProjectedView;
  /** The very list that was given, when all of it is shown as it is. */
  readonly messages: readonly unknown[];
}

export const showMessages = (view: ProjectedView, list: unknown, origin: Origin): ShownMessages => {
  const messages = (Array.isArray(list) ? list : []) as RawMessage[];
  let learnt = learnCalls(view, messages, origin);
  const shown = messages.flatMap((message) => {
    const out = showMessage(learnt, message, origin);
    learnt = learnMessage(origin === 'hub' ? learnSaid(learnt, message) : learnt, message, out);
    return out ? [out] : [];
  });
  const same =
    shown.length === messages.length && shown.every((message, index) => message === messages[index]);
  return { view: learnt, messages: same ? messages : shown };
};
