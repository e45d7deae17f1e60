/** Keeps a person from holding more tasks than they can work on, and from everybody else. */
import type { Actor } from '@triptych/access';
import { refuse, type Result, type TaskView } from '@triptych/protocol';
import type { Loaded } from '../core/approval-store.js';
import { taskIn, type Batch } from '../core/batch.js';
import type { Change } from '../core/change.js';
import type { Holder, NotedClaim } from '../core/claim-index.js';
import { parseTaskId } from '../core/ids.js';
import { liveClaim } from '../core/task.js';
import { beside, type Desk } from './desk.js';

/** More than anybody works on at once, within the time a claim lasts. */
export const MAX_CLAIMS = 50;
/** A claim that was announced this long ago is made or never will be. Milliseconds. */
const UNDER_WAY_MS = 10_000;
const RETRY_MS = 60_000;

const isHeld = ({ batch, now }: Loaded, { subject }: Holder, { taskId, at }: NotedClaim): boolean => {
  const task = taskIn(batch, taskId);
  return now - at < UNDER_WAY_MS || (task && liveClaim(task, now)?.by === subject) === true;
};

const batchIdOf = ({ taskId }: NotedClaim): string => parseTaskId(taskId)?.batchId ?? '';

/** How many this person does hold; what else was noted of them is forgotten, and what cannot be read is not held. */
const heldBy = async ({ claims, store }: Desk, holder: Holder): Promise<number> => {
  const noted = await claims.noted(holder);
  const loaded = await store.loadMany([...new Set(noted.map(batchIdOf))]);
  const batches = new Map(loaded.map((found) => [found.batch.facts.batchId, found]));
  const over = noted.filter((claim) => {
    const found = batches.get(batchIdOf(claim));
    return !found || !isHeld(found, holder, claim);
  });
  await claims.forget(
    holder,
    over.map(({ taskId }) => taskId),
  );
  return noted.length - over.length;
};

/** Notes a claim that is about to be made; false: it would be one too many, and is not to be. */
export const hasRoomToClaim = async (
  desk: Desk,
  { actor, taskId }: { readonly actor: Actor; readonly taskId: string },
): Promise<boolean> => {
  const mayBe = await desk.claims.note(actor, taskId, await desk.store.now());
  if (mayBe <= MAX_CLAIMS || (await heldBy(desk, actor)) <= MAX_CLAIMS) return true;
  await desk.claims.forget(actor, [taskId]);
  return false;
};

/** APR-42: what would be one claim too many is not made. */
export const claimWithin = async (
  desk: Desk,
  { actor, taskId }: { readonly actor: Actor; readonly taskId: string },
  claim: () => Promise<Result<TaskView>>,
): Promise<Result<TaskView>> => {
  if (!parseTaskId(taskId)) return claim();
  if (!(await hasRoomToClaim(desk, { actor, taskId })))
    return refuse('RATE_LIMITED', { retryAfterMs: RETRY_MS, details: { limit: 'MAX_CLAIMS' } });
  const answer = await claim();
  if (!answer.ok) await desk.claims.forget(actor, [taskId]);
  return answer;
};

/** Claims that a change ends are noted no longer. */
export const forgetEnded = (desk: Desk, { facts, tasks }: Batch, change: Change): void => {
  for (const after of change.tasks) {
    const holder = tasks.find(({ taskId }) => taskId === after.taskId)?.claim?.by;
    if (holder === undefined || holder === after.claim?.by) continue;
    const forgotten = desk.claims.forget({ tenant: facts.tenant, subject: holder }, [after.taskId]);
    beside(desk, 'approvals.index-late', forgotten);
  }
};
