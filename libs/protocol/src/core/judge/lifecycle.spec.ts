import { verifies } from '../../../../../test/spec/verifies.js';
import * as w from '../../../test/events.js';
import { judgeAll } from '../../../test/judge-all.js';
import type { AguiEvent } from '../agui.js';

type Stream = readonly (AguiEvent | string)[];
const [RS, RF, RE] = [w.runStarted(), w.runFinished(), w.runError()];
const RS2 = w.runStarted({ runId: 'r2' });
const RF2 = w.runFinished({ runId: 'r2' });

const accepts = (rule: string, name: string, stream: Stream): void =>
  verifies(rule, `takes ${name}`, () => {
    const outcome = judgeAll(stream);
    expect(outcome).toMatchObject({ complete: true });
    expect(outcome.rule).toBeUndefined();
    expect(outcome.events).toHaveLength(stream.length);
  });

const refuses = (rule: string, name: string, [stream, broken]: readonly [Stream, string]): void =>
  verifies(rule, `refuses ${name}`, () => {
    const outcome = judgeAll(stream);
    expect([outcome.rule, outcome.at]).toEqual([broken, stream.length - 1]);
    expect(outcome.events).toHaveLength(stream.length - 1);
  });

describe('the course of a stream', () => {
  accepts('PRO-4', 'case 1: a run with a message', [RS, ...w.text('m', 'hi'), RF]);
  accepts('PRO-4', 'case 3: a run that failed before it began', [RE]);
  accepts('PRO-4', 'case 4: a run after that', [RE, RS, RF]);
  accepts('PRO-4', 'case 6: two runs in one stream', [RS, RF, RS2, ...w.text('m', 'x'), RF2]);
  accepts('PRO-4', 'case 8, late-run-error: an error after the end', [RS, RF, RE]);
  accepts('PRO-4', 'case 111: a run after a failed one', [RS, RE, RS2, RF2]);
  accepts('PRO-4', 'case 70: a run after an interrupt', [RS, w.interrupted(['a']), RS2, RF2]);

  refuses('PRO-4', 'case 2: a stream that begins with a message', [[w.textStart('m')], 'first-event']);
  refuses('PRO-4', 'a stream that begins with its end', [[RF], 'first-event']);
  refuses('PRO-4', 'case 5: a run within a run', [[RS, RS2], 'run-active']);
  refuses('PRO-4', 'case 7: a message after the end', [[RS, RF, w.textStart('m')], 'run-over']);
  refuses('PRO-4', 'SL-16: a snapshot after the end', [[RS, RF, w.messages()], 'run-over']);
  refuses('PRO-4', 'SL-17: a late result after a cancelled run', [
    [RS, w.runFinished({ outcome: { type: 'cancelled' } }), w.callResult('a', 'res-1')],
    'run-over',
  ]);
  refuses('PRO-4', 'case 9: two ends', [[RS, RF, RF], 'run-over']);
  refuses('PRO-4', 'case 9: two errors', [[RS, RE, RE], 'run-over']);
  refuses('PRO-4', 'case 9: an end after an error', [[RS, RE, RF], 'run-over']);
  refuses('PRO-4', 'an end after a late error', [[RS, RF, RE, RE], 'run-over']);

  refuses('PRO-5', 'case 15, SL-21: the end of another run', [
    [RS, w.runFinished({ runId: 'r9' })],
    'wrong-run',
  ]);
  refuses('PRO-5', 'case 15, SL-21: an end on another thread', [
    [RS, w.runFinished({ threadId: 't-OTHER' })],
    'wrong-thread',
  ]);
  refuses('PRO-5', 'case 16: a second run on another thread', [
    [RS, RF, w.runStarted({ threadId: 't2', runId: 'r2' })],
    'wrong-thread',
  ]);
  refuses('PRO-5', 'case 17: another run than was asked for', [[w.runStarted({ runId: 'x' })], 'wrong-run']);
  refuses('PRO-5', 'case 17: another thread than was asked for', [
    [w.runStarted({ threadId: 'x' })],
    'wrong-thread',
  ]);
  refuses('PRO-5', 'a run id that comes twice', [[RS, RF, RS], 'run-id-reused']);
  refuses('PRO-5', 'a run id that comes twice after another', [[RS, RF, RS2, RF2, RS], 'run-id-reused']);
  refuses('PRO-5', 'an error that names another run', [[RS, w.runError({ runId: 'r9' })], 'wrong-run']);
  refuses('PRO-5', 'an error that names another thread', [
    [RS, w.runError({ threadId: 'x' })],
    'wrong-thread',
  ]);
  accepts('PRO-5', 'an error that names its own run', [RS, w.runError({ runId: 'r', threadId: 't' })]);

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
    refuses('PRO-6', `case 12: the end while ${name} is open`, [[RS, opener, RF], 'open-at-end']);
    accepts('PRO-6', `case 10: an error while ${name} is open`, [RS, opener, RE]);
    accepts('PRO-6', `a run after one that failed while ${name} was open`, [RS, opener, RE, RS2, RF2]);
  }
  refuses('PRO-6', 'SL-03: the end while a message is open, its calls closed', [
    [RS, w.textStart('m1'), w.callStart('t'), w.callEnd('t'), RF],
    'open-at-end',
  ]);
  accepts('PRO-6', 'case 11: a message begun again after a failed run', [
    RS,
    w.textStart('m'),
    w.textContent('m', 'a'),
    RE,
    RS2,
    ...w.text('m', 'b'),
    RF2,
  ]);

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
