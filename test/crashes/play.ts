/** Plays one story of a thread through the death of a process, and tells what is wrong in the end. */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { BatchState, TaskView } from '@triptych/protocol';
import { until } from '@triptych/testkit';
import { isAnswered, type Stage, type Wish } from '../stand/asking-agent.js';
import type { Told } from '../stand/caller.js';
import type { Hub } from '../stand/hub.js';
import type { Name, Office } from '../stand/office.js';
import type { Worker } from '../stand/worker.js';
import { findFaults } from './faults.js';
import type { CrashPoint, Tale } from './points.js';

const LOOK_AGAIN_MS = 50;
/** Nobody waits longer for a story to end: by then a lease has lapsed ten times, ms. */
const LONGEST_MS = 90_000;
/** Far enough for the run to be over by then, ms. */
const EXPIRES_IN_MS = 1_500;

const REST: ReadonlySet<BatchState> = new Set(['done', 'unknown', 'retry_wait', 'blocked']);
/** What may be asked again: nobody answered, the store was not heard of, or the hub is just leaving. */
const AGAIN: ReadonlySet<string> = new Set(['gone', 'STORE_UNAVAILABLE', 'DRAINING', 'INTERNAL']);

const wishesOf: Readonly<Record<Tale, () => readonly Wish[]>> = {
  reviewed: () => [
    { tool: 'pay', args: { amount: 1 } },
    { tool: 'wire', args: { amount: 2 } },
  ],
  expiring: () => [{ tool: 'pay', args: {}, expiresAt: new Date(Date.now() + EXPIRES_IN_MS).toISOString() }],
  answered: () => [{ tool: 'ask', args: {}, reason: 'input_required' }],
};

interface RunRecord {
  readonly status: 'running' | 'success' | 'interrupt' | 'cancelled' | 'failed';
}

export interface Played {
  readonly problems: readonly string[];
  readonly heard: number;
}

export class CrashPlay {
  readonly threadId = `crash-${randomBytes(6).toString('hex')}`;

  constructor(
    private readonly site: Office,
    private readonly point: CrashPoint | undefined,
    private readonly tale: Tale = point?.tale ?? 'reviewed',
  ) {}

  async play(): Promise<Played> {
    const patience = new AbortController();
    const late = pause(LONGEST_MS, ['did not come to its end'], { signal: patience.signal });
    try {
      const problems = await Promise.race([this.toTheEnd(), late]);
      return { problems, heard: this.site.agent.resumesOf(this.threadId).length };
    } finally {
      patience.abort();
    }
  }

  private async toTheEnd(): Promise<readonly string[]> {
    const { site, threadId } = this;
    await site.as('amelia').ask('/v1/threads', { threadId, agentId: 'asking' });
    const screens = (['customer', 'operator'] as const).map((surface) => ({
      surface,
      screen: site.lasting(surface, surface === 'customer' ? 'amelia' : 'mo'),
    }));
    try {
      await Promise.all(screens.map(({ screen }) => screen.follow(threadId)));
      site.agent.wants(threadId, wishesOf[this.tale]());
      const [tasks] = await Promise.all([this.live(), this.death()]);
      const state = await this.rest(tasks);
      return await findFaults({ site, threadId, tasks, state, screens, point: this.point });
    } finally {
      await Promise.all(screens.map(({ screen }) => screen.close()));
    }
  }

  /** Resolves when the victim has been killed where it was to be, and is back. */
  private async death(): Promise<void> {
    if (!this.point) return;
    const { hub, workers } = this.site.house;
    const victim = this.point.victim === 'hub' ? hub : workers[0];
    if (!victim) throw new Error('Nobody to kill.');
    await this.moment(this.point, victim);
    victim.lines.redis.heal();
    await victim.restart();
  }

  private moment({ at }: CrashPoint, { lines, process }: Hub | Worker): Promise<void> {
    const kill = (): Promise<void> => process.kill();
    if (at.kind === 'agent') return this.onStage(at.stage, at.resumed, kill);
    const died = lines.redis.stopAt((bytes) => at.words.test(bytes), at.passes).then(kill);
    if (at.holds) void this.onStage(at.holds, true, () => died);
    return died;
  }

  /** Lets the agent wait at this stage for what is to happen there, once. */
  private onStage(stage: Stage, resumed: boolean, act: () => Promise<void>): Promise<void> {
    const { agent } = this.site;
    return new Promise((done) => {
      agent.watched(async (reached, input) => {
        if (reached !== stage || isAnswered(input) !== resumed || input.threadId !== this.threadId) return;
        agent.watched(() => Promise.resolve());
        await act();
        done();
      });
    });
  }

  /** People who ask again until they are answered. */
  private async live(): Promise<readonly TaskView[]> {
    const asked = await this.ask();
    const { items } = await this.insist<{ items: readonly TaskView[] }>(
      'mo',
      `/v1/approvals?threadId=${this.threadId}&state=pending,expired,closed,decided,dispatched`,
    );
    const tasks = items.filter(({ runId }) => runId === asked).toSorted(byInterrupt);
    const [pay, wire] = tasks;
    if (this.tale === 'answered') await this.answer(tasks);
    if (this.tale !== 'reviewed' || !pay || !wire) return tasks;
    await this.approve('ann', pay);
    await this.approve('ann', wire);
    await this.approve('bob', wire);
    return tasks;
  }

  /** A run that was lost is begun anew under another name. */
  private async ask(): Promise<string> {
    for (let nth = 1; ; nth += 1) {
      const runId = `${this.threadId}-r${nth}`;
      if ((await this.run(runId, {})) === 'interrupt') return runId;
    }
  }

  private async run(runId: string, more: object): Promise<RunRecord['status']> {
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

  private async approve(who: Name, { taskId, rev, proposalHash }: TaskView): Promise<void> {
    await this.insist(who, `/v1/approvals/${taskId}/decide`, { verb: 'approve', rev, proposalHash });
  }

  private async answer(tasks: readonly TaskView[]): Promise<void> {
    const resume = tasks.map(({ interruptId }) => ({
      interruptId,
      status: 'resolved',
      payload: { said: 'so' },
    }));
    await this.run(`${this.threadId}-a`, { resume });
  }

  private async rest([task]: readonly TaskView[]): Promise<BatchState> {
    let state: BatchState = 'open';
    await until(async () => {
      ({ state } = (await this.insist<TaskView>('mo', `/v1/approvals/${task?.taskId}`)).batch);
      return REST.has(state);
    });
    return state;
  }

  private async insist<T>(who: Name, path: string, body?: unknown): Promise<T> {
    for (;;) {
      const told: Told<T> = await this.site.as(who).ask<T>(path, body);
      if (told.code === 'ok') return told.value as T;
      if (!AGAIN.has(told.code)) throw new Error(`${who} was told ${told.code} by ${path}.`);
      await pause(LOOK_AGAIN_MS);
    }
  }
}

const byInterrupt = (a: TaskView, b: TaskView): number => a.interruptId.localeCompare(b.interruptId);
