import { verifies } from '../../../../../test/spec/verifies.js';
import * as w from '../../../test/events.js';
import { verifyWithReference } from '../../../test/reference-client.js';
import type { AguiEvent } from '../agui.js';
import { modelStep } from './model-step.js';
import { emptyModel } from './model.js';
import { prelude } from './prelude.js';
import { pendingInterruptsOf } from './read-model.js';

const after = (...events: readonly AguiEvent[]): AguiEvent[] =>
  prelude(events.reduce(modelStep, emptyModel()));
const types = (events: readonly AguiEvent[]): readonly string[] => events.map(({ type }) => type);
const [RS, RF] = [w.runStarted(), w.runFinished()];
const second = w.runStarted({ runId: 'r2' });

describe('the prelude', () => {
  verifies('PRO-17', 'of nothing is nothing', () => expect(after()).toEqual([]));

  verifies('PRO-17', 'of a run that failed before it began is its error', () => {
    expect(after(w.runError())).toEqual([w.runError()]);
  });

  verifies('PRO-17', 'tells all parts in their order', async () => {
    const told = after(
      RS,
      w.subStarted('s1'),
      w.subStarted('s2', { parentSubagentRunId: 's1' }),
      w.subError('s2'),
      w.subFinished('s1', { outcome: { type: 'suspended' } }),
      w.subStarted('s3'),
      w.stepStarted('done'),
      w.stepFinished('done'),
      w.stepStarted('open', { metadata: { a: 1 } }),
      w.textStart('m', { metadata: { k: 1 }, rawEvent: {}, timestamp: 1 }),
      w.textContent('m', 'par', { metadata: { k: 2 } }),
      w.activity('a', { n: 1 }),
      w.callStart('c', { parentMessageId: 'm' }),
      w.spanStart('q'),
      w.thoughtStart('q'),
      w.state({ x: 1 }),
      w.custom('card'),
    );
    expect(told).toEqual([
      RS,
      w.subStarted('s1'),
      w.subStarted('s2', { parentSubagentRunId: 's1' }),
      w.subStarted('s3'),
      w.subError('s2'),
      w.subFinished('s1', { outcome: { type: 'suspended' } }),
      w.messages(
        {
          id: 'm',
          role: 'assistant',
          content: 'par',
          metadata: { k: 2 },
          toolCalls: [{ id: 'c', type: 'function', function: { name: 'lookup', arguments: '' } }],
        },
        { id: 'a', role: 'activity', activityType: 'PLAN', content: { n: 1 } },
        { id: 'q', role: 'reasoning', content: '' },
      ),
      w.state({ x: 1 }),
      w.stepStarted('done'),
      w.stepFinished('done'),
      w.custom('card'),
      w.stepStarted('open'),
      w.textStart('m'),
      w.callStart('c', { parentMessageId: 'm' }),
      w.spanStart('q'),
      w.thoughtStart('q'),
    ]);
    expect((await verifyWithReference(told)).error).toBeUndefined();
  });

  verifies('PRO-17', 'begins with the run whose questions are open, when it is not the last', () => {
    const asked = w.interrupted(['a']);
    const told = after(RS, asked, second, w.runError());
    expect(told.slice(0, 3)).toEqual([RS, asked, second]);
    expect(told.at(-1)).toEqual(w.runError());
    expect(types(after(RS, asked))).toEqual([
      'RUN_STARTED',
      'MESSAGES_SNAPSHOT',
      'STATE_SNAPSHOT',
      'RUN_FINISHED',
    ]);
  });

  verifies('PRO-17', 'case 103: does not bring back questions that were answered', () => {
    const told = after(RS, w.interrupted(['a']), second, w.runFinished({ runId: 'r2' }));
    expect(types(told).filter((type) => type === 'RUN_STARTED')).toHaveLength(1);
    expect(pendingInterruptsOf(told.reduce(modelStep, emptyModel()))).toEqual([]);
  });

  verifies('PRO-17', 'tells a late error behind the end it came after', () => {
    expect(types(after(RS, RF, w.runError())).slice(-2)).toEqual(['RUN_FINISHED', 'RUN_ERROR']);
  });

  verifies('PRO-17', 'case 10: makes up no closers for a failed run', () => {
    const told = after(RS, w.textStart('m'), w.stepStarted('s'), w.runError());
    expect(types(told)).toEqual(['RUN_STARTED', 'MESSAGES_SNAPSHOT', 'STATE_SNAPSHOT', 'RUN_ERROR']);
  });

  verifies(
    'PRO-17',
    'case 112: keeps what the last run said of itself, less the messages of its input',
    () => {
      const input = { threadId: 't', runId: 'r', messages: [{ id: 'u', role: 'user', content: 'x' }] };
      const told = after(w.runStarted({ protocolVersion: '1.0', timestamp: 5, metadata: { k: 1 }, input }));
      expect(told[0]).toEqual(
        w.runStarted({
          protocolVersion: '1.0',
          timestamp: 5,
          metadata: { k: 1 },
          input: { ...input, messages: [] },
        }),
      );
    },
  );

  verifies('PRO-18', 'case 80: what a snapshot dropped while it was open does not come back', () => {
    const log = [
      RS,
      w.textStart('m'),
      w.textContent('m', 'a'),
      w.messages(),
      w.textContent('m', 'b'),
      w.textEnd('m'),
    ];
    const joined = [...after(...log.slice(0, 4)), ...log.slice(4)];
    expect(joined.reduce(modelStep, emptyModel()).messages).toEqual([]);
  });
});
