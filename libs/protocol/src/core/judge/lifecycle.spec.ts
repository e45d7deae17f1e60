import { verifies } from '../../../../../test/spec/verifies.js';
import * as w from '../../../test/events.js';
import { judgeAll } from '../../../test/judge-all.js';
import type { AguiEvent } from '../agui.js';

type Stream = readonly (AguiEvent | string)[];
const [RS, RF, RE] = [w.runStarted(), w.runFinished(), w.runError()];
const RS2 = w.runStarted({ runId: 'r2' });
const RF2 = w.runFinished({ runId: 'r2' });

const accepted = (stream: Stream) => (): void => {
  const outcome = judgeAll(stream);
  expect(outcome).toMatchObject({ complete: true });
  expect(outcome.rule).toBeUndefined();
  expect(outcome.events).toHaveLength(stream.length);
};

const refused = (stream: Stream, broken: string) => (): void => {
  const outcome = judgeAll(stream);
  expect([outcome.rule, outcome.at]).toEqual([broken, stream.length - 1]);
  expect(outcome.events).toHaveLength(stream.length - 1);
};

describe('the course of a stream', () => {
  verifies('PRO-4', 'takes case 1: a run with a message', accepted([RS, ...w.text('m', 'hi'), RF]));
  verifies('PRO-4', 'takes case 3: a run that failed before it began', accepted([RE]));
  verifies('PRO-4', 'takes case 4: a run after that', accepted([RE, RS, RF]));
  verifies('PRO-31', 'takes case 4: another run after that', accepted([RE, RS2, RF2]));
  verifies(
    'PRO-4',
    'takes case 6: two runs in one stream',
    accepted([RS, RF, RS2, ...w.text('m', 'x'), RF2]),
  );
  verifies('PRO-4', 'takes case 8, late-run-error: an error after the end', accepted([RS, RF, RE]));
  verifies('PRO-4', 'takes case 111: a run after a failed one', accepted([RS, RE, RS2, RF2]));
  verifies(
    'PRO-4',
    'takes case 70: a run after an interrupt',
    accepted([RS, w.interrupted(['a']), RS2, RF2]),
  );

  verifies(
    'PRO-4',
    'refuses case 2: a stream that begins with a message',
    refused([w.textStart('m')], 'first-event'),
  );
  verifies('PRO-4', 'refuses a stream that begins with its end', refused([RF], 'first-event'));
  verifies('PRO-4', 'refuses case 5: a run within a run', refused([RS, RS2], 'run-active'));
  verifies(
    'PRO-4',
    'refuses case 7: a message after the end',
    refused([RS, RF, w.textStart('m')], 'run-over'),
  );
  verifies('PRO-4', 'refuses SL-16: a snapshot after the end', refused([RS, RF, w.messages()], 'run-over'));
  verifies(
    'PRO-4',
    'refuses SL-17: a late result after a cancelled run',
    refused([RS, w.runFinished({ outcome: { type: 'cancelled' } }), w.callResult('a', 'res-1')], 'run-over'),
  );
  verifies('PRO-4', 'refuses case 9: two ends', refused([RS, RF, RF], 'run-over'));
  verifies('PRO-4', 'refuses case 9: two errors', refused([RS, RE, RE], 'run-over'));
  verifies('PRO-4', 'refuses case 9: an end after an error', refused([RS, RE, RF], 'run-over'));
  verifies('PRO-4', 'refuses an end after a late error', refused([RS, RF, RE, RE], 'run-over'));

  verifies(
    'PRO-5',
    'refuses case 15, SL-21: the end of another run',
    refused([RS, w.runFinished({ runId: 'r9' })], 'wrong-run'),
  );
  verifies(
    'PRO-5',
    'refuses case 15, SL-21: an end on another thread',
    refused([RS, w.runFinished({ threadId: 't-OTHER' })], 'wrong-thread'),
  );
  verifies(
    'PRO-5',
    'refuses case 16: a second run on another thread',
    refused([RS, RF, w.runStarted({ threadId: 't2', runId: 'r2' })], 'wrong-thread'),
  );
  verifies(
    'PRO-5',
    'refuses case 17: another run than was asked for',
    refused([w.runStarted({ runId: 'x' })], 'wrong-run'),
  );
  verifies(
    'PRO-5',
    'refuses case 17: another thread than was asked for',
    refused([w.runStarted({ threadId: 'x' })], 'wrong-thread'),
  );
  verifies('PRO-5', 'refuses a run id that comes twice', refused([RS, RF, RS], 'run-id-reused'));
  verifies(
    'PRO-5',
    'refuses a run id that comes twice after another',
    refused([RS, RF, RS2, RF2, RS], 'run-id-reused'),
  );
  verifies(
    'PRO-5',
    'refuses an error that names another run',
    refused([RS, w.runError({ runId: 'r9' })], 'wrong-run'),
  );
  verifies(
    'PRO-5',
    'refuses an error that names another thread',
    refused([RS, w.runError({ threadId: 'x' })], 'wrong-thread'),
  );
  verifies(
    'PRO-5',
    'takes an error that names its own run',
    accepted([RS, w.runError({ runId: 'r', threadId: 't' })]),
  );

  const open: readonly (readonly [string, AguiEvent])[] = [
    ['a text message', w.textStart('m')],
    ['a tool call', w.callStart('c')],
    ['a step', w.stepStarted('s')],
    ['a reasoning span', w.spanStart('q')],
    ['a reasoning message (SL-15)', w.thoughtStart('q')],
    ['a subagent', w.subStarted('s1')],
    ["a subagent's step", w.stepStarted('s', { subagentRunId: 's1' })],
  ];
  for (const [name, opener] of open) {
    verifies(
      'PRO-6',
      `refuses case 12: the end while ${name} is open`,
      refused([RS, opener, RF], 'open-at-end'),
    );
    verifies('PRO-6', `takes case 10: an error while ${name} is open`, accepted([RS, opener, RE]));
    verifies(
      'PRO-6',
      `takes a run after one that failed while ${name} was open`,
      accepted([RS, opener, RE, RS2, RF2]),
    );
  }
  verifies(
    'PRO-6',
    'refuses SL-03: the end while a message is open, its calls closed',
    refused([RS, w.textStart('m1'), w.callStart('t'), w.callEnd('t'), RF], 'open-at-end'),
  );
  verifies(
    'PRO-6',
    'takes case 11: a message begun again after a failed run',
    accepted([RS, w.textStart('m'), w.textContent('m', 'a'), RE, RS2, ...w.text('m', 'b'), RF2]),
  );

  const ends: readonly (readonly [string, Stream, boolean, boolean])[] = [
    ['case 13, SL-02: cut after a message', [RS, w.textStart('m'), w.textContent('m', 'x')], false, true],
    ['case 13: cut with everything closed', [RS, ...w.text('m', 'x')], false, true],
    ['case 14: empty', [], false, false],
    ['case 3: failed before it began', [RE], true, false],
    ['a second run that is cut', [RS, RF, RS2], false, true],
    ['whole', [RS, RF], true, true],
  ];
  for (const [name, stream, complete, started] of ends)
    verifies('PRO-15', `${name}: complete is ${complete}`, () =>
      expect(judgeAll(stream)).toMatchObject({ complete, started }),
    );
});
