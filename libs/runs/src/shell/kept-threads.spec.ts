import type { RunAgentInput } from '@triptych/protocol';
import { setTimeout as sleep } from 'node:timers/promises';
import { verifies } from '../../../../test/spec/verifies.js';
import { agentThat, asking, fresh, openBench, user, type Bench, type Script } from '../../test/bench.js';

const KEPT = 100;
let all: Bench;
let trimming: Bench;
beforeAll(async () => {
  [all, trimming] = [await openBench(), await openBench(KEPT)];
});
afterAll(() => Promise.all([all.close(), trimming.close()]));

/** Writes much, calls a tool, changes the state, and now and then tells the whole conversation again. */
const talkative: Script = async function* ({ threadId, runId, messages }: RunAgentInput) {
  yield { type: 'RUN_STARTED', threadId, runId };
  yield { type: 'TOOL_CALL_START', toolCallId: `${runId}-c`, toolCallName: 'look' };
  yield { type: 'TOOL_CALL_ARGS', toolCallId: `${runId}-c`, delta: '{"a":' };
  yield { type: 'TOOL_CALL_ARGS', toolCallId: `${runId}-c`, delta: '1}' };
  yield { type: 'TOOL_CALL_END', toolCallId: `${runId}-c` };
  yield { type: 'TOOL_CALL_RESULT', messageId: `${runId}-r`, toolCallId: `${runId}-c`, content: 'found' };
  yield { type: 'STATE_DELTA', delta: [{ op: 'add', path: `/${runId}`, value: runId }] };
  yield { type: 'TEXT_MESSAGE_START', messageId: `${runId}-a`, role: 'assistant' };
  for (let n = 0; n < 50; n += 1)
    yield { type: 'TEXT_MESSAGE_CONTENT', messageId: `${runId}-a`, delta: `${n} ` };
  yield { type: 'TEXT_MESSAGE_END', messageId: `${runId}-a` };
  if (runId.endsWith('4')) yield { type: 'MESSAGES_SNAPSHOT', messages };
  yield { type: 'RUN_FINISHED', threadId, runId };
};

const sentOver = async (bench: Bench, runs: number) => {
  const thread = fresh();
  const { agent, inputs } = agentThat(talkative);
  for (let n = 1; n <= runs; n += 1) {
    await bench.runToEnd(asking(thread, agent, { runId: `r${n}`, messages: [user(`m${n}`)] }));
    await bench.log.keep(thread);
  }
  return { thread, inputs: inputs.map(({ threadId: _own, ...input }) => input) };
};

describe('a thread of which snapshots are kept', () => {
  verifies('RUN-24', 'sends its agent the same whether its log is whole or trimmed', async () => {
    const [whole, kept] = [await sentOver(all, 12), await sentOver(trimming, 12)];
    const { firstSeq, head } = await trimming.log.read(kept.thread, Number.MAX_SAFE_INTEGER, 1);
    expect(firstSeq).toBeGreaterThan(head - 4 * KEPT);
    expect(kept.inputs).toEqual(whole.inputs);
  });

  verifies('RUN-25', 'leaves a snapshot of all at the end of a run, without anyone asking', async () => {
    const thread = fresh();
    await all.runToEnd(asking(thread, agentThat(talkative).agent));
    const { head } = await all.log.read(thread, Number.MAX_SAFE_INTEGER, 1);
    while ((await all.log.begin(thread)).seq < head) await sleep(5);
    expect((await all.log.begin(thread)).entries.length).toBeLessThan(15);
  });
});
