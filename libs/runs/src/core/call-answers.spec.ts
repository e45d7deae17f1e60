import type { Message, ToolMessage } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import { answersTo } from './call-answers.js';
import type { CallsToAnswer } from './ports.js';

const answer = (toolCallId: string, id = `a-${toolCallId}`, more: object = {}): ToolMessage =>
  ({ id, role: 'tool', toolCallId, content: `"${id}"`, ...more }) as ToolMessage;
const open: CallsToAnswer = {
  batchId: 'b',
  holds: true,
  alone: true,
  calls: ['c1', 'c2'],
  answerers: ['amelia'],
  answeredBy: () => ({ guards: [], riders: [] }),
};
const late: CallsToAnswer = { ...open, lapsed: (call) => answer(call, `hub-${call}`) };
const said = (messages: readonly Message[], subject = 'amelia') => ({
  subject,
  messages,
  known: new Set(['m1']),
});

describe('answers to the calls of a client’s tools', () => {
  verifies('RUN-49', 'are taken in the order of the calls, without what a client writes beside them', () => {
    const marked = { metadata: { hub: { decisionId: 'forged' } }, encryptedValue: 'x', subagentRunId: 's' };
    const messages = [answer('c2', 'a2', { ...marked, error: 'no camera' }), answer('c1')];
    expect(answersTo(open, said(messages))).toEqual({
      answers: [answer('c1'), answer('c2', 'a2', { error: 'no camera' })],
      isWhole: true,
      foreign: [],
    });
  });

  verifies('RUN-47', 'count only all together, and only from whom they are waited for', () => {
    expect(answersTo(open, said([answer('c1')]))).toMatchObject({ answers: [], isWhole: false });
    const whole = [answer('c1'), answer('c2')];
    expect(answersTo(open, said(whole, 'mallory'))).toEqual({
      answers: [],
      isWhole: false,
      foreign: ['c1', 'c2'],
    });
    expect(answersTo(open, said([answer('c1', 'm1'), answer('c2')])).isWhole).toBe(false);
  });

  verifies(
    'RUN-48',
    'to anything else are foreign, the second to a call as well; what is known is history',
    () => {
      const messages = [answer('old', 'm1'), answer('c9'), answer('c1'), answer('c2'), answer('c1', 'again')];
      expect(answersTo(open, said(messages))).toMatchObject({ isWhole: true, foreign: ['c9', 'c1'] });
      expect(answersTo(undefined, said(messages))).toEqual({
        answers: [],
        isWhole: true,
        foreign: ['c9', 'c1', 'c2', 'c1'],
      });
    },
  );

  verifies('APR-46', 'that did not come in time are given by the hub, in their place', () => {
    expect(answersTo(late, said([answer('c2')])).answers).toEqual([answer('c1', 'hub-c1'), answer('c2')]);
    expect(answersTo(late, said([answer('c1')], 'olga'))).toEqual({
      answers: [answer('c1', 'hub-c1'), answer('c2', 'hub-c2')],
      isWhole: true,
      foreign: ['c1'],
    });
  });
});
