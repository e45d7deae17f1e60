/** Looks at batches that changed, and sends to its lanes whatever a destination does not show yet. */
import { dueAt, isBehind, type Posting } from '../core/posting.js';
import type { TakenEntry } from '../core/posting-store.js';
import type { NoticedBatch, NoticedTask } from '../core/notice-task.js';
import { printOf } from '../core/print.js';
import { cutFor, destinationsFor, reachable, type Standing } from '../core/route.js';
import type { NotifyDesk } from './notify-desk.js';

/** Batches looked at in one round, and at once. */
const PAGE = 100;
/** What changes by the hour alone, and what no word came of, shows this late. */
const LOOK_AGAIN_MS = 60_000;
const SOON_MS = 250;

const standingOf = ({ dead, shown, sending }: Posting): Standing => {
  if (dead) return 'given-up';
  return shown || sending !== undefined ? 'there' : 'new';
};

/** When the hour will have changed what is shown: a claim lapses, a held answer stands, a task expires. */
const turnsAt = ({ view: { claim, heldUntil, expiresAt } }: NoticedTask): readonly number[] =>
  [claim?.until, heldUntil, expiresAt].filter((at) => at !== undefined);

const nextLook = ({ tasks, over, now }: NoticedBatch): number | undefined => {
  if (over) return undefined;
  const turns = tasks.flatMap(turnsAt).filter((at) => at > now);
  return Math.max(now + SOON_MS, Math.min(now + LOOK_AGAIN_MS, ...turns));
};

export class Lookout {
  constructor(private readonly desk: NotifyDesk) {}

  /** One page of what is to be looked at; true: there may be more. */
  async round(): Promise<boolean> {
    const taken = await this.desk.store.takeBatches(PAGE);
    await Promise.all(taken.map((entry) => this.lookAfter(entry)));
    return taken.length === PAGE;
  }

  /** At once, for whoever heard that it changed. */
  async look(batchId: string): Promise<NoticedBatch | undefined> {
    const batch = await this.desk.tasks.batch(batchId);
    if (batch) {
      const { store, unmet } = this.desk;
      const ill = new Set([...(await store.ill()).keys(), ...unmet.keys()]);
      for (const task of batch.tasks) await this.send(task, batch.now, ill);
      await this.desk.progress?.look(batch);
    }
    return batch;
  }

  private async lookAfter(entry: TakenEntry): Promise<void> {
    try {
      const batch = await this.look(entry.member);
      await this.desk.store.settleBatch(entry, batch && nextLook(batch));
    } catch (error) {
      // It is given to the next when its time as taken is up.
      this.desk.report('notify.not-looked-at', { batch: entry.member, error });
    }
  }

  private async send(task: NoticedTask, now: number, ill: ReadonlySet<string>): Promise<void> {
    const { store, knocks } = this.desk;
    const { taskId } = task.view;
    const routed = reachable(this.desk.bridges, task);
    const all = [...new Set(routed.flatMap(([, to]) => to))];
    if (all.length === 0) return;
    const names = all.map(({ id }) => ({ taskId, destination: id }));
    const postings = await store.postings(names);
    const byId = new Map(all.map(({ id }, nth) => [id, postings[nth] ?? {}] as const));
    const standing = (id: string): Standing => standingOf(byId.get(id) ?? {});
    for (const destination of destinationsFor(routed, { ill, standing })) {
      const { id } = destination;
      const posting = byId.get(id) ?? {};
      const print = printOf(cutFor(destination, task.view));
      if (!isBehind(posting, print)) continue;
      const at = dueAt(posting, print, now);
      await store.enter({ taskId, destination: id }, at);
      await knocks.work(id, at, now);
    }
  }
}
