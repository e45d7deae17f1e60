/** Names the Redis keys and hash fields of runs. */
import { threadKey } from '@triptych/platform';

/** Score: updatedAt (ms); member: threadId. Written ahead of the thread itself, so a member may dangle. */
export const threadsIndex = (tenant: string, owner?: string): string =>
  owner === undefined ? `tt:threads:${tenant}` : `tt:threads:${tenant}:of:${owner}`;
/** Score: lease end (ms); member: threadId. Written ahead of the lease, so a member may dangle. */
export const LIVE_INDEX = 'tt:live';

/** Score: updatedAt (ms) or later; member: tenant, owner and threadId as JSON. Written ahead of the thread, so a member may dangle. */
export const IDLE_INDEX = 'tt:idle';

export const keysOf = (threadId: string) => ({
  /** threadId tenant owner agentId status activeRunId createdAt updatedAt */
  thread: threadKey(threadId, 'thread'),
  /** id until sent started cancel pushed warned extra while a run is active · term, begun (that of the run that began last), kept · batch (the approvals' field) */
  run: threadKey(threadId, 'run'),
  /**
   * Of a thread whose agent comes by itself: v, the version · residue, the judge's · p:<producer>, as JSON · of the run
   * under way: run due why ends socket until order · passed, the positions given up, as JSON
   */
  push: threadKey(threadId, 'push'),
  /** Score: since when it waits (ms); member: position and characters of a pushed event. */
  waiting: threadKey(threadId, 'waiting'),
  /** position → pushed event as JSON, of those that wait */
  held: threadKey(threadId, 'held'),
  /** runId → record as JSON */
  runs: threadKey(threadId, 'runs'),
});
