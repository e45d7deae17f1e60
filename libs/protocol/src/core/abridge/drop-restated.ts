/** Leaves out what a later MESSAGES_SNAPSHOT says again: earlier ones that taught nothing, and the pieces of texts. */
import type { Message } from '../agui.js';
import { known, type EventOf } from '../event-types.js';
import { modelStep } from '../model/model-step.js';
import { emptyModel, type Model } from '../model/model.js';
import { callKey, messageKey, tornIds } from './torn-ids.js';
import { isOf, startOfLastRun, type ToldEntry } from './told-entry.js';

type Restated = EventOf<'MESSAGES_SNAPSHOT'>;

const restatedBy = ({ event }: ToldEntry): Restated | undefined => {
  const one = known(event);
  return one?.type === 'MESSAGES_SNAPSHOT' ? (one as Restated) : undefined;
};

const callsOf = (message: Message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []);

const isSilent = ({ content }: Message): boolean => (content ?? '') === '';

/** The reader's own: a snapshot that names one speaks for all of them. */
const isLoose = ({ role }: Message): boolean => role === 'activity' || role === 'reasoning';

const isSaidSo = (message: Message, before: Message | undefined): boolean => {
  if (!before || before.role !== message.role) return false;
  if (message.subagentRunId !== undefined || before.subagentRunId !== undefined) return false;
  const link = (one: Message): unknown => (one.role === 'tool' ? one.toolCallId : undefined);
  const [calls, callsBefore] = [callsOf(message), callsOf(before)];
  return (
    link(message) === link(before) &&
    calls.length === callsBefore.length &&
    (calls.length === 0 || isSilent(message) === isSilent(before)) &&
    calls.every((call, index) => {
      const other = callsBefore[index];
      return (
        call.id === other?.id &&
        call.function.name === other.function.name &&
        call.function.arguments === other.function.arguments
      );
    })
  );
};

/** It names exactly the messages there are, as they are: but for their texts nothing comes of it. */
const teachesNothing = (
  { messages, metadata }: Restated,
  model: Model,
  torn: ReadonlySet<string>,
): boolean => {
  if (metadata !== undefined || model.idsRepeat || model.open.some(({ kind }) => kind === 'tool'))
    return false;
  const before = new Map(model.messages.filter((one) => !isLoose(one)).map((one) => [one.id, one]));
  const ids = new Set(messages.map(({ id }) => id));
  return (
    ids.size === messages.length &&
    ids.size === before.size &&
    messages.every(
      (one) =>
        !isLoose(one) &&
        !torn.has(messageKey(one.id)) &&
        callsOf(one).every(({ id }) => !torn.has(callKey(id))) &&
        isSaidSo(one, before.get(one.id)),
    )
  );
};

const isRestatedText = ({ event }: ToldEntry, torn: ReadonlySet<string>): boolean =>
  event.type === 'TEXT_MESSAGE_CONTENT' && !torn.has(messageKey(event['messageId']));

export const dropRestated = (entries: readonly ToldEntry[]): readonly ToldEntry[] => {
  const last = entries.findLastIndex(isOf('MESSAGES_SNAPSHOT'));
  if (last < 0) return entries;
  const past = Math.min(startOfLastRun(entries), last);
  const torn = tornIds(entries);
  let model = emptyModel();
  return entries.filter((entry, index) => {
    if (index >= past) return true;
    const restated = restatedBy(entry);
    if (restated ? teachesNothing(restated, model, torn) : isRestatedText(entry, torn)) return false;
    model = modelStep(model, entry.event);
    return true;
  });
};
