/** Makes agents that tell the whole conversation again at the end of each run, as many do. */
import { emptyModel, modelStep, type AguiEvent } from '@triptych/protocol';
import type fc from 'fast-check';

const retold = (events: readonly AguiEvent[]): readonly AguiEvent[] => {
  let model = emptyModel();
  return events.flatMap((event) => {
    const repeats = model.idsRepeat || event.type !== 'RUN_FINISHED';
    const { messages } = model;
    model = modelStep(model, event);
    return repeats ? [event] : [{ type: 'MESSAGES_SNAPSHOT', messages }, event];
  });
};

export const restating = (streams: fc.Arbitrary<readonly AguiEvent[]>): fc.Arbitrary<readonly AguiEvent[]> =>
  streams.map(retold);
