import { parsePolicyText } from '@triptych/access';
import { verifies } from '../../../../test/spec/verifies.js';
import { NOON, olga, opened, person, rita } from '../../test/bank.js';
import { show } from './show.js';

const policyWith = (surface: string) => {
  const read = parsePolicyText(`surfaces: { reviewer: ${surface}, customer: ${surface} }`, 'policy.yaml');
  if (!read.ok) throw new Error(read.why);
  return read.value;
};

const batch = opened({
  interrupts: [{ id: 'i', reason: 'tool_call', toolCallId: 'c-1', subagentRunId: 's' }],
  calls: { 'c-1': { name: 'transfer', argsText: '{"amount":1}' } },
  subagentPaths: new Map([['s', ['lead', 'writer']]]),
});

const seenBy = (actor: typeof rita, surface: string) => {
  const [task] = batch.tasks;
  if (!task) throw new Error('One question was asked.');
  const { toolCallId, subagentPath, proposal } = show(policyWith(surface), { batch, task, actor, now: NOON });
  return { toolCallId, subagentPath, tool: proposal.toolName };
};

describe('a task', () => {
  verifies('ACC-59', 'names the call and the subagents it came from where its reader is shown those', () => {
    const origin = { toolCallId: 'c-1', subagentPath: ['lead', 'writer'], tool: 'transfer' };
    expect(seenBy(rita, '{ tools: { transfer: {} }, subagents: true }')).toEqual(origin);
    expect(seenBy(rita, '{ tools: { "*": {} }, subagents: true }')).toEqual(origin);
    expect(seenBy(olga, '{}')).toEqual(origin);
  });

  verifies('ACC-59', 'names neither where they are hidden; what is proposed is shown all the same', () => {
    for (const actor of [rita, person('carl', ['customer'])])
      expect(seenBy(actor, '{ tools: { look: {} } }')).toEqual({ tool: 'transfer' });
  });
});
