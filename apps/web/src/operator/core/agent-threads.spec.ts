/** Proves that threads are counted with the agent they belong to. */
import { asPosition, type ThreadStatus, type ThreadSummary } from '@triptych/protocol';
import { verifies } from '../../../../../test/spec/verifies.js';
import { threadsOfAgent, threadsOfAgents } from './agent-threads.js';

const thread = (agentId: string, status: ThreadStatus): ThreadSummary => ({
  threadId: `${agentId}/${status}`,
  agentId,
  owner: 'amelia',
  status,
  pos: asPosition('e:0'),
  openInterrupts: [],
  updatedAt: 0,
});

verifies('WEB-35', 'each agent has its own threads, an unknown one none', () => {
  const counts = threadsOfAgents([
    thread('refund', 'failed'),
    thread('refund', 'waiting'),
    thread('refund', 'waiting'),
    thread('cards', 'idle'),
    thread('cards', 'running'),
  ]);
  expect(threadsOfAgent(counts, 'refund')).toEqual({ running: 0, waiting: 2, failed: 1 });
  expect(threadsOfAgent(counts, 'cards')).toEqual({ running: 1, waiting: 0, failed: 0 });
  expect(threadsOfAgent(counts, 'other')).toEqual({ running: 0, waiting: 0, failed: 0 });
});
