/** Tells a client whose history or state is not the surface's what they are now, right after its run began. */
import {
  messagesIn59,
  modelStep,
  sameJson,
  speaks59,
  type AguiEvent,
  type Model,
  type RunAgentInput,
} from '@triptych/protocol';

const isEmpty = (state: unknown): boolean =>
  state === undefined || state === null || (typeof state === 'object' && Object.keys(state).length === 0);

const sameState = (given: unknown, shown: unknown): boolean =>
  (isEmpty(given) && isEmpty(shown)) || sameJson(given, shown);

/** What a client that was shown all of it has, in the words it was told. */
const heldBy = (input: RunAgentInput, { messages }: Model): Model['messages'] => {
  const held = messages.filter((message) => message.role !== 'activity');
  return speaks59(input) ? messagesIn59(held) : held;
};

/** The events to add after `started`; none when the client already knows. They are for this response, not for the log. */
export const catchUpAfter = (
  before: Model,
  started: AguiEvent,
  input: RunAgentInput,
): readonly AguiEvent[] => {
  const model = modelStep(before, started);
  if (sameJson(input.messages, heldBy(input, model)) && sameState(input.state, model.state)) return [];
  return [
    { type: 'MESSAGES_SNAPSHOT', messages: model.messages },
    { type: 'STATE_SNAPSHOT', snapshot: model.state ?? {} },
  ];
};
