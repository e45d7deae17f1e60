/** What there is to tell of a run, from what reviewers are shown of it. */
import type { AguiEvent } from '@triptych/protocol';
import { verifies } from '../../../../../test/spec/verifies.js';
import {
  noProgress,
  noteBefore,
  nothingBefore,
  progressStep,
  wordsOf,
  type RunProgress,
} from './run-progress.js';

const started: AguiEvent = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
const says = (messageId: string, ...deltas: readonly string[]): readonly AguiEvent[] => [
  { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
  ...deltas.map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta })),
  { type: 'TEXT_MESSAGE_END', messageId },
];
const told = (events: readonly AguiEvent[], before: readonly AguiEvent[] = []): RunProgress => {
  const known = nothingBefore();
  for (const event of before) noteBefore(known, event);
  return events.reduce(progressStep, noProgress('r', known));
};
const stepsOf = ({ steps }: RunProgress): readonly string[] =>
  steps.map(({ title, status }) => `${title} ${status}`);

describe('the progress of a run', () => {
  verifies('BRG-141', 'is its steps, its tools and its words, until it ends', () => {
    const run = [
      started,
      { type: 'STEP_STARTED', stepName: 'Risk check' },
      { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'Refunding' },
      ...says('m', 'One ', 'moment.'),
      { type: 'TOOL_CALL_RESULT', messageId: 'x', toolCallId: 'c', content: 'secret' },
      { type: 'STEP_FINISHED', stepName: 'Risk check' },
      { type: 'STEP_STARTED', stepName: 'Risk check' },
      ...says('n', 'Done.'),
      { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
      ...says('o', 'Too late.'),
    ];
    const whole = told(run);
    expect(stepsOf(whole)).toEqual(['Risk check done', 'Refunding done', 'Risk check left']);
    expect([wordsOf(whole), whole.end]).toEqual(['One moment.\n\nDone.', 'success']);
    expect(JSON.stringify(whole)).not.toContain('secret');
    expect(stepsOf(told(run.slice(0, 4)))).toEqual(['Risk check running', 'Refunding running']);
  });

  verifies('BRG-141', 'tells of a call by the name it had in the run that asked', () => {
    const asked = { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'Refunding' };
    const kept = {
      type: 'MESSAGES_SNAPSHOT',
      messages: [
        { id: 'a', role: 'assistant', toolCalls: [{ id: 'd', function: { name: 'Paying', arguments: '' } }] },
      ],
    };
    const results = ['c', 'd', 'unheard'].map((toolCallId) => ({ type: 'TOOL_CALL_RESULT', toolCallId }));
    expect(stepsOf(told([started, ...results], [asked, kept]))).toEqual(['Refunding done', 'Paying done']);
  });

  verifies(
    'BRG-141',
    'takes from a conversation that is restated what is new in it, and only what the agent says',
    () => {
      const messages = [
        { id: 'old', role: 'assistant', content: 'Said before.' },
        { id: 'u', role: 'user', content: 'Mine' },
        { id: 's', role: 'assistant', content: 'A helper’s.', subagentRunId: 'sub' },
        { id: 'new', role: 'assistant', content: 'Said now.' },
      ];
      const restated = { type: 'MESSAGES_SNAPSHOT', messages };
      const run = [started, ...says('new', 'Said'), restated, restated];
      expect(wordsOf(told(run, says('old', 'Said before.')))).toBe('Said now.');
    },
  );

  verifies('BRG-141', 'says how it ended, and what was left', () => {
    const open = [started, { type: 'STEP_STARTED', stepName: 'a' }];
    const finished = (type: string): AguiEvent => ({ type: 'RUN_FINISHED', runId: 'r', outcome: { type } });
    const ends = [finished('interrupt'), finished('cancelled'), finished('success'), { type: 'RUN_ERROR' }];
    expect(ends.map((end) => [told([...open, end]).end, ...stepsOf(told([...open, end]))])).toEqual([
      ['interrupt', 'a left'],
      ['cancelled', 'a left'],
      ['success', 'a left'],
      ['failed', 'a failed'],
    ]);
    expect(told([{ ...started, runId: 'another' }, ...says('m', 'x')])).toMatchObject({
      begun: false,
      said: [],
    });
  });
});
