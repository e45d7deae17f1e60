import type { Message } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import { askingAt } from './asking.js';
import { endingOf } from './run-end.js';

const called = (...names: readonly string[]): Message[] => [
  {
    id: 'm',
    role: 'assistant',
    toolCalls: names.map((name) => ({
      id: `c-${name}`,
      type: 'function',
      function: { name, arguments: '{}' },
    })),
  },
];
const result = (toolCallId: string): Message => ({
  id: `r-${toolCallId}`,
  role: 'tool',
  toolCallId,
  content: 'x',
});
const finished = (outcome?: object) => endingOf({ type: 'RUN_FINISHED', threadId: 't', runId: 'r', outcome });
const run = {
  messages: [...called('pick', 'send', 'lookUp', 'old'), result('c-send')],
  tools: ['pick', 'send', 'old'],
  begun: new Set(['c-pick', 'c-send', 'c-lookUp']),
};
const success = (pendingToolCallIds?: readonly string[]) => finished({ type: 'success', pendingToolCallIds });

describe('what a run leaves to be answered', () => {
  verifies('RUN-46', 'is what it called of its client’s tools and nobody has answered', () => {
    expect(askingAt(success(), run)).toEqual({ interrupts: [], calls: ['c-pick'], odd: [] });
    expect(askingAt(finished(), run)).toEqual({ interrupts: [], calls: ['c-pick'], odd: [] });
    expect(askingAt(success(), { ...run, tools: [] })).toBeUndefined();
    expect(askingAt(finished({ type: 'cancelled' }), run)).toBeUndefined();
  });

  verifies(
    'RUN-46',
    'is what the agent names, if it names any; what it may not name is told and not waited for',
    () => {
      expect(askingAt(success([]), run)).toBeUndefined();
      const asking = askingAt(success(['c-pick', 'c-pick', 'c-send', 'c-lookUp', 'c-old', 'c-no']), run);
      expect(asking?.calls).toEqual(['c-pick']);
      expect(asking?.odd.map((text) => text.split(' ')[1])).toEqual(['c-send', 'c-lookUp', 'c-old', 'c-no']);
      const stranger = askingAt(success(['c-pick']), { ...run, tools: [] });
      expect(stranger).toMatchObject({ calls: [], odd: [expect.stringContaining('c-pick')] });
    },
  );

  verifies('RUN-46', 'has a bound, beyond which nothing is waited for', () => {
    const names = Array.from({ length: 201 }, (_, nth) => `pick${nth}`);
    const many = {
      messages: called(...names),
      tools: names,
      begun: new Set(names.map((name) => `c-${name}`)),
    };
    const asking = askingAt(success(), many);
    expect(asking?.calls).toHaveLength(200);
    expect(asking?.odd).toEqual(['1 calls more than can be waited for']);
  });
});
