/** Tells a client whose history or state is not the surface's what they are now, right after its run began. */
import { modelStep, sameJson, type AguiEvent, type Model, type RunAgentInput } from '@triptych/protocol';

const isEmpty = (state: unknown): boolean =>
  state === undefined || state === null || (typeof state === 'object' && Object.keys(state).length === 0);

const sameState = (given: unknown, shown: unknown): boolean =>
  (isEmpty(given) && isEmpty(shown)) || sameJson(given, shown);

const sameMessages = (given: RunAgentInput['messages'], model: Model): boolean =>
  sameJson(
    given,
    model.messages.filter((message) => message.role !== 'activity'),
  );

/** The events to add after `started`; none when the client already knows. They are for this response, not for the log. */
export const catchUpAfter = (
  before: Model,
  started: AguiEvent,
  input: RunAgentInput,
): readonly AguiEvent[] => {
  const model = modelStep(before, started);
  if (sameMessages(input.messages, model) && sameState(input.state, model.state)) return [];
  return [
    { type: 'MESSAGES_SNAPSHOT', messages: model.messages },
    { type: 'STATE_SNAPSHOT', snapshot: model.state ?? {} },
  ];
};
