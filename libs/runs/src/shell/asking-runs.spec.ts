/** Proves what runs of either kind ask of their client's tools, whichever hub writes their end. */
import { verifies } from '../../../../test/spec/verifies.js';
import { agentThat, asking, openBench, user, type Bench, type Script } from '../../test/bench.js';
import { engine, freshThread, intakeOn, pushing } from '../../test/push-bench.js';
import { findingsOf } from '../adapters/findings.js';
import type { AskingRun, Closings } from '../core/ports.js';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

/** What the approvals would be asked to open. */
const asked: AskingRun[] = [];
const noting = (): { readonly closings: Closings } => {
  const { closings } = bench.depsOf();
  const openingFor: Closings['openingFor'] = (end) => {
    asked.push(end as AskingRun);
    return closings.openingFor(end);
  };
  return { closings: { ...closings, openingFor } };
};
const tools = ['pick', 'send'].map((name) => ({ name, description: name, parameters: {} }));
const call = (toolCallId: string, toolCallName: string) => [
  { type: 'TOOL_CALL_START', toolCallId, toolCallName },
  { type: 'TOOL_CALL_END', toolCallId },
];
const finished = (threadId: string, runId: string, pendingToolCallIds?: readonly string[]) => ({
  ...{ type: 'RUN_FINISHED', threadId, runId },
  outcome: { type: 'success', ...(pendingToolCallIds ? { pendingToolCallIds } : {}) },
});

describe('a run that leaves calls of its client’s tools', () => {
  verifies(
    'RUN-46',
    'asks for those it began itself, and its thread waits; what else it names is a finding',
    async () => {
      const thread = freshThread();
      const script: Script = async function* ({ threadId, runId }) {
        yield { type: 'RUN_STARTED', threadId, runId };
        for (const event of [...call('c1', 'pick'), ...call('c2', 'look')]) yield event;
        yield finished(threadId, runId, ['c1', 'c2', 'c9']);
      };
      const request = asking(thread, agentThat(script).agent, { tools });
      await bench.runToEnd({ ...request, acceptTools: ['pick', 'send'] }, bench.runsOf(noting()));
      expect(asked.at(-1)).toMatchObject({ threadId: thread, interrupts: [], calls: ['c1'] });
      const { items } = await findingsOf(bench.redis, thread, { limit: 10 });
      expect(new Set(items.map(({ message }) => message.split(' ')[1]))).toEqual(new Set(['c2', 'c9']));
    },
  );

  verifies('RUN-46', 'that failed is asked for nothing, and the next one not for what it left', async () => {
    const thread = freshThread();
    const failing: Script = async function* ({ threadId, runId }) {
      yield { type: 'RUN_STARTED', threadId, runId };
      for (const event of call('c1', 'pick')) yield event;
      yield { type: 'RUN_ERROR', message: 'Down.' };
    };
    const before = asked.length;
    const request = { ...asking(thread, agentThat(failing).agent, { tools }), acceptTools: ['pick', 'send'] };
    await bench.runToEnd(request, bench.runsOf(noting()));
    const next: Script = async function* ({ threadId, runId }) {
      yield { type: 'RUN_STARTED', threadId, runId };
      yield finished(threadId, runId);
    };
    const { agent } = agentThat(next);
    const again = asking(thread, agent, { tools, runId: 'r2', messages: [user('m2')] });
    await bench.runToEnd({ ...again, acceptTools: ['pick', 'send'] }, bench.runsOf(noting()));
    expect(asked.length).toBe(before);
  });

  verifies('RUN-51', 'and is pushed asks alike, though every piece of it comes by another hub', async () => {
    const thread = freshThread();
    const request = asking(thread, agentThat(async function* () {}).agent, { tools });
    const begun = await bench.runsOf().begin({ ...request, agent: engine, acceptTools: ['pick', 'send'] });
    expect(begun.ok).toBe(true);
    const events = [
      { type: 'RUN_STARTED', threadId: thread, runId: 'r1' },
      ...call('c1', 'pick'),
      ...call('c2', 'send'),
      finished(thread, 'r1'),
    ];
    for (const [seq, event] of events.entries()) {
      const pushed = await intakeOn(bench, noting()).push(pushing(thread, [event], { seq }));
      expect(pushed).toMatchObject({ ok: true, value: { accepted: 1 } });
    }
    expect(asked.at(-1)).toMatchObject({ threadId: thread, calls: ['c1', 'c2'] });
  });
});
