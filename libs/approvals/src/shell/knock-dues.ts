/** Has the queue knock for what is to come of a batch. */
import type { Loaded } from '../core/approval-store.js';
import type { Batch } from '../core/batch.js';
import { duesOf, type Due } from '../core/due.js';
import { beside, type Desk } from './desk.js';

/** A claim that is renewed is knocked for once: whoever hears it too early has it knock again. */
const nameOf = ({ taskId, kind, at }: Due): string =>
  kind === 'leaseEnd' ? `${taskId} ${kind}` : `${taskId} ${kind} ${at}`;

const knock = (desk: Desk, { batch, now }: Loaded, dues: readonly Due[]): void => {
  const { batchId } = batch.facts;
  const all = dues.map(({ taskId, kind, at }) =>
    desk.knocks.wakeAt({ id: taskId ?? batchId, kind, at }, now),
  );
  beside(desk, 'approvals.knock-failed', Promise.all(all));
};

/** For what was not to come `before`. */
export const knockDues = (desk: Desk, after: Loaded, before?: Batch): void => {
  const known = new Set((before ? duesOf(before) : []).map(nameOf));
  const fresh = duesOf(after.batch).filter((due) => !known.has(nameOf(due)));
  knock(desk, after, fresh);
};

/** For a claim that was renewed since the last knock. */
export const knockAgain = (desk: Desk, found: Loaded, id: string): void =>
  knock(
    desk,
    found,
    duesOf(found.batch).filter(({ taskId, kind }) => kind === 'leaseEnd' && taskId === id),
  );
