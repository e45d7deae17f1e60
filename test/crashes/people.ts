/** People of one thread who ask again until they are answered, whoever dies meanwhile. */
import { setTimeout as pause } from 'node:timers/promises';
import type { BatchView, TaskView } from '@triptych/protocol';
import type { Caller, Told } from '../stand/caller.js';
import type { Name, Office } from '../stand/office.js';

const LOOK_AGAIN_MS = 50;
/** What may be asked again: nobody answered, the store was not heard of, or the hub is just leaving. */
const AGAIN: ReadonlySet<string> = new Set(['gone', 'STORE_UNAVAILABLE', 'DRAINING', 'INTERNAL']);
/** A list shows what is due as what it will be when somebody sees to it; it does not see to it itself. */
const ANY_STATE = 'pending,claimed,voting,held,expired,closed,decided,dispatched';

interface RunRecord {
  readonly status: 'running' | 'success' | 'interrupt' | 'cancelled' | 'failed';
}

export class People {
  constructor(
    readonly site: Office,
    readonly threadId: string,
  ) {}

  /** A run that was lost is begun anew under another name. */
  async ask(): Promise<readonly TaskView[]> {
    for (let nth = 1; ; nth += 1) {
      const runId = `${this.threadId}-r${nth}`;
      if ((await this.run(runId, {})) === 'interrupt')
        return (await this.tasks()).filter((task) => task.runId === runId);
    }
  }

  async run(runId: string, more: object): Promise<RunRecord['status']> {
    const { threadId } = this;
    const input = { threadId, runId, messages: [], tools: [], context: [], ...more };
    for (;;) {
      await this.site.as('amelia').ask('/v1/agents/asking/run', input);
      const { code, value } = await this.site
        .as('mo')
        .ask<RunRecord>(`/v1/threads/${threadId}/runs/${runId}`);
      if (code === 'ok' && value && value.status !== 'running') return value.status;
      await pause(LOOK_AGAIN_MS);
    }
  }

  approve(who: Name | Caller, { taskId, rev, proposalHash }: TaskView): Promise<TaskView> {
    return this.insist(who, `/v1/approvals/${taskId}/decide`, { verb: 'approve', rev, proposalHash });
  }

  /** The task once it is asked anew, without anybody's seeing to what is due of it. */
  async anew({ taskId, rev }: TaskView): Promise<TaskView> {
    for (;;) {
      const task = (await this.tasks()).find((one) => one.taskId === taskId);
      if (task && task.rev > rev && task.state === 'pending') return task;
      await pause(LOOK_AGAIN_MS);
    }
  }

  /** Waits until its agent has failed, and does this about it; whoever was not answered looks before asking again. */
  async mend(task: TaskView, verb: 'retry' | 'mark-done'): Promise<void> {
    const path = `/v1/batches/${task.batch.batchId}/${verb}`;
    while (!(await this.hasFailed(task))) await pause(LOOK_AGAIN_MS);
    do {
      const { code } = await this.site.as('mo').ask(path, { reason: 'looked' });
      if (code === 'ok') return;
      if (!AGAIN.has(code)) throw new Error(`${path} was answered ${code}.`);
      await pause(LOOK_AGAIN_MS);
    } while (await this.hasFailed(task));
  }

  private async hasFailed({ batch }: TaskView): Promise<boolean> {
    const path = '/v1/batches?state=retry_wait&limit=200';
    const { items } = await this.insist<{ items: readonly BatchView[] }>('mo', path);
    return items.some(({ batchId }) => batchId === batch.batchId);
  }

  async insist<T>(who: Name | Caller, path: string, body?: unknown): Promise<T> {
    const told = await this.told<T>(who, path, body);
    if (told.code !== 'ok') throw new Error(`${path} was answered ${told.code}.`);
    return told.value as T;
  }

  async told<T>(who: Name | Caller, path: string, body?: unknown): Promise<Told<T>> {
    const caller = typeof who === 'string' ? this.site.as(who) : who;
    for (;;) {
      const told = await caller.ask<T>(path, body);
      if (!AGAIN.has(told.code)) return told;
      await pause(LOOK_AGAIN_MS);
    }
  }

  private async tasks(): Promise<readonly TaskView[]> {
    const path = `/v1/approvals?threadId=${this.threadId}&state=${ANY_STATE}`;
    const { items } = await this.insist<{ items: readonly TaskView[] }>('mo', path);
    return items.toSorted((a, b) => a.interruptId.localeCompare(b.interruptId));
  }
}
