/** Finds what is due from Redis alone: deadlines that passed, and batches nobody has sent yet. */
import { ok } from '@triptych/protocol';
import type { Loaded, Taken } from '../core/approval-store.js';
import { openTasks } from '../core/batch.js';
import { NO_CHANGE } from '../core/change.js';
import { nextLook } from '../core/due.js';
import { isUnanswered } from '../core/frontend-calls.js';
import { isRefused } from '../core/reopen.js';
import { parseBatchId, parseTaskId } from '../core/ids.js';
import { HUB } from '../core/task.js';
import { amend } from './amend.js';
import type { Desk } from './desk.js';
import { knockAgain } from './knock-dues.js';
import { SetAside } from './set-aside.js';

/** Batches looked at together. */
const PAGE = 100;
/** An entry whose batch never came is kept this long: the step it announced may still be on its way. Milliseconds. */
const DANGLING_MS = 3_600_000;
/** How soon, at the least and at the most, an entry that leads nowhere yet is looked at again. Milliseconds. */
const SOON_MS = 1_000;
const LATE_MS = 60_000;

export interface Swept {
  /** Batches whose resume is to be sent now. */
  readonly ready: readonly string[];
  /** Tasks that were ended by this round. */
  readonly expired: readonly string[];
  /** There may be more that is due. */
  readonly more: boolean;
}

const NOTHING: Swept = { ready: [], expired: [], more: false };

const together = (all: readonly Swept[], more: boolean): Swept => ({
  ready: all.flatMap(({ ready }) => ready),
  expired: all.flatMap(({ expired }) => expired),
  more,
});

/** The older an entry that leads nowhere, the less it is worth a look; undefined: none. */
const nextLookForNothing = (openedAt: number, now: number): number | undefined => {
  const age = now - openedAt;
  return age > DANGLING_MS ? undefined : now + Math.min(LATE_MS, Math.max(SOON_MS, age));
};

interface Look {
  readonly swept: Swept;
  readonly after: Loaded;
}

export class Sweep {
  private readonly aside: SetAside;

  constructor(private readonly desk: Desk) {
    this.aside = new SetAside(desk);
  }

  /** One page of what is due; whoever wants all of it comes again while there is more. */
  async sweep(): Promise<Swept> {
    const taken = await this.desk.store.takeDue(PAGE);
    const swept = await Promise.all(taken.map((entry) => this.lookAfter(entry)));
    return together(swept, taken.length === PAGE);
  }

  /** What a timer's knock asks for; it may come early, late, twice, or for something long gone. */
  async wake(id: string): Promise<Swept> {
    const batchId = parseTaskId(id)?.batchId ?? (parseBatchId(id) ? id : undefined);
    const loaded = batchId === undefined ? undefined : await this.desk.store.load(batchId);
    if (!loaded) return NOTHING;
    const { swept, after } = await this.look(loaded);
    knockAgain(this.desk, after, id);
    return swept;
  }

  /** APR-72: what is wrong with one batch is nothing to the others. */
  private async lookAfter(taken: Taken): Promise<Swept> {
    try {
      const loaded = await this.desk.store.load(taken.batchId);
      if (loaded?.batch.facts.openedAt !== taken.openedAt) return await this.leadsNowhere(taken);
      const { swept, after } = await this.look(loaded);
      await this.desk.store.settle(taken, nextLook(after.batch, after.now));
      this.aside.goesAgain(taken);
      return swept;
    } catch (error) {
      await this.aside.put(taken, error);
      return NOTHING;
    }
  }

  /** Its batch has not come yet, or never will. */
  private async leadsNowhere(taken: Taken): Promise<Swept> {
    const now = await this.desk.store.now();
    await this.desk.store.settle(taken, nextLookForNothing(taken.openedAt, now));
    return NOTHING;
  }

  private async look(loaded: Loaded): Promise<Look> {
    const { batch, now } = loaded;
    const { facts, status } = batch;
    const seen = (swept = NOTHING): Look => ({ swept, after: loaded });
    switch (status.state) {
      case 'open':
        return this.applyDue(loaded);
      case 'ready':
        return seen(now < status.notBefore ? NOTHING : { ...NOTHING, ready: [facts.batchId] });
      case 'dispatching':
      case 'running':
        return seen();
      case 'done':
        await this.desk.store.retire(batch, facts.taskIds);
        await this.desk.store.unflag(facts);
        if (isUnanswered(batch)) await this.desk.store.release(batch);
        return seen();
      case 'retry_wait':
      case 'unknown':
      case 'blocked':
        await this.desk.store.flag(facts);
        return isRefused(batch) ? this.applyDue(loaded) : seen();
    }
  }

  private async applyDue(loaded: Loaded): Promise<Look> {
    const { batchId } = loaded.batch.facts;
    const before = new Set(openTasks(loaded.batch).map(({ taskId }) => taskId));
    const amended = await amend(this.desk, { batchId, cause: HUB }, () => ok(NO_CHANGE));
    if (!amended.ok) throw new Error(`${batchId} was not to be had: ${amended.refusal.code}.`);
    const after = amended.value;
    const ended = after.batch.tasks.filter(
      (task) => before.has(task.taskId) && task.status === 'settled' && task.decision.kind === 'expired',
    );
    const ready = after.becameReady ? [batchId] : [];
    return { swept: { ...NOTHING, ready, expired: ended.map(({ taskId }) => taskId) }, after };
  }
}
