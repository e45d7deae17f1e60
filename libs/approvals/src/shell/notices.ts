/** Shows the tasks of a batch to nobody in particular: as reviewers are shown them, and with nothing to do. */
import type { Actor } from '@triptych/access';
import type { TaskView } from '@triptych/protocol';
import { runIdOf, type Batch } from '../core/batch.js';
import type { Task } from '../core/task.js';
import { rulingsOf } from '../core/task.js';
import type { ReadingDesk } from './desk.js';
import { loadReadable } from './load-readable.js';
import { show } from './show.js';

export interface NoticedTask {
  readonly tenant: string;
  /** Every rule it falls under lets it be decided in a chat. */
  readonly chat: boolean;
  readonly view: TaskView;
}

export interface NoticedBatch {
  readonly tasks: readonly NoticedTask[];
  /** The run that carries its answers, or carried them last. */
  readonly resumeRunId?: string | undefined;
  /** Nothing of it will change any more. */
  readonly over: boolean;
  /** When it was read; Unix milliseconds. */
  readonly now: number;
}

const nobodyOf = (tenant: string): Actor => ({
  subject: '',
  tenant,
  roles: [],
  groups: [],
  issuedAt: 0,
  expiresAt: 0,
});

/** What no reviewer may read is shown nowhere. */
const isForReviewers = ({ ruling }: Task): boolean => ruling.audience === 'reviewer' && ruling.approvable;

const isOver = ({ status, tasks }: Batch): boolean =>
  status.state === 'done' && tasks.every((task) => task.status === 'settled');

export const noticed = async (desk: ReadingDesk, batchId: string): Promise<NoticedBatch | undefined> => {
  const [found] = (await loadReadable(desk, [batchId])).loaded;
  if (!found) return undefined;
  const { batch, now } = found;
  const { tenant } = batch.facts;
  const actor = nobodyOf(tenant);
  const tasks = batch.tasks.filter(isForReviewers).map((task): NoticedTask => {
    const { mayNot: _nobody, ...view } = show(desk.policy(), { batch, task, actor, now }, true);
    return { tenant, chat: rulingsOf(task).every(({ chat }) => chat), view: { ...view, may: [] } };
  });
  return { tasks, resumeRunId: runIdOf(batch.status), over: isOver(batch), now };
};
