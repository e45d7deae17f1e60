/** Finds what is due from Redis alone: deadlines that passed, and batches nobody has sent yet. */
import { ok } from '@triptych/protocol';
import type { Loaded } from '../core/approval-store.js';
import { openTasks } from '../core/batch.js';
import { NO_CHANGE } from '../core/change.js';
import { expireDue, nextExpiry } from '../core/expire.js';
import { isUnanswered } from '../core/frontend-calls.js';
import { parseTaskId } from '../core/ids.js';
import { HUB } from '../core/task.js';
import { amend, DISPATCH_GRACE_MS } from './amend.js';
import type { Desk } from './desk.js';
import { LOOK_MS } from './dispatches.js';

/** One round's work; what is left is still due in the next. */
const MAX_DUE = 100;
/** A batch that waits for a person stays in sight of the sweep, but needs nothing of it. Milliseconds. */
const IDLE_LOOK_MS = 600_000;

export interface Swept {
  /** Batches whose resume is to be sent now. */
  readonly ready: readonly string[];
  /** Tasks that were ended by this round. */
  readonly expired: readonly string[];
}

const NOTHING: Swept = { ready: [], expired: [] };

const together = (all: readonly Swept[]): Swept => ({
  ready: all.flatMap(({ ready }) => ready),
  expired: all.flatMap(({ expired }) => expired),
});

export class Sweep {
  constructor(private readonly desk: Desk) {}

  async sweep(): Promise<Swept> {
    const due = await this.desk.store.due(MAX_DUE);
    return together(await Promise.all(due.map((loaded) => this.look(loaded))));
  }

  /** What a timer's knock asks for; it may come early, late, twice, or for something long gone. */
  async wake(taskId: string): Promise<Swept> {
    const name = parseTaskId(taskId);
    const loaded = name && (await this.desk.store.load(name.batchId));
    return loaded ? this.look(loaded) : NOTHING;
  }

  private async look(loaded: Loaded): Promise<Swept> {
    const { batch, now } = loaded;
    const { batchId } = batch.facts;
    switch (batch.status.state) {
      case 'open':
        return this.expire(loaded);
      case 'ready':
        await this.desk.store.watch(batch, Math.max(batch.status.notBefore, now + DISPATCH_GRACE_MS));
        return now < batch.status.notBefore ? NOTHING : { ready: [batchId], expired: [] };
      case 'dispatching':
      case 'running':
        await this.desk.store.watch(batch, now + LOOK_MS);
        return NOTHING;
      case 'done':
        await this.desk.store.retire(batch, batch.facts.taskIds);
        await this.desk.store.unflag(batch);
        if (isUnanswered(batch)) await this.desk.store.release(batch);
        await this.desk.store.unwatch(batch);
        return NOTHING;
      case 'retry_wait':
      case 'unknown':
      case 'blocked':
        await this.desk.store.flag(batch);
        await this.desk.store.watch(batch, now + IDLE_LOOK_MS);
        return NOTHING;
    }
  }

  private async expire({ batch }: Loaded): Promise<Swept> {
    const before = new Set(openTasks(batch).map(({ taskId }) => taskId));
    const { batchId } = batch.facts;
    const amended = await amend(this.desk, { batchId, cause: HUB }, (loaded) =>
      ok(expireDue(loaded.batch, loaded.now) ?? NO_CHANGE),
    );
    if (!amended.ok) return NOTHING;
    const after = amended.value;
    if (isUnanswered(after.batch)) await this.desk.store.release(after.batch);
    const next = nextExpiry(after.batch);
    if (next !== undefined) await this.desk.store.watch(after.batch, next);
    const ended = after.batch.tasks.filter(
      (task) => before.has(task.taskId) && task.status === 'settled' && task.decision.kind === 'expired',
    );
    return {
      ready: after.becameReady ? [after.batch.facts.batchId] : [],
      expired: ended.map(({ taskId }) => taskId),
    };
  }
}
