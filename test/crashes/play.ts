/** Plays one story of a thread through the death of a process, and tells what is wrong in the end. */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { BatchState, TaskView } from '@triptych/protocol';
import { until } from '@triptych/testkit';
import { isAnswered, type Stage } from '../stand/asking-agent.js';
import type { Hub } from '../stand/hub.js';
import type { Office } from '../stand/office.js';
import type { Worker } from '../stand/worker.js';
import { findFaults } from './faults.js';
import { People } from './people.js';
import type { CrashPoint, Tale } from './points.js';
import { TALES } from './tales.js';

/** Nobody waits longer for a story to end: by then a lease has lapsed ten times, ms. */
const LONGEST_MS = 90_000;

const REST: ReadonlySet<BatchState> = new Set(['done', 'unknown', 'retry_wait', 'blocked']);

export interface Played {
  readonly problems: readonly string[];
  readonly heard: number;
}

export class CrashPlay {
  readonly threadId = `crash-${randomBytes(6).toString('hex')}`;
  private readonly people: People;

  constructor(
    private readonly site: Office,
    private readonly point: CrashPoint | undefined,
    private readonly tale: Tale = point?.tale ?? 'reviewed',
  ) {
    this.people = new People(site, this.threadId);
  }

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

  private async live(): Promise<readonly TaskView[]> {
    const { wishes, live } = TALES[this.tale];
    this.site.agent.wants(this.threadId, wishes());
    const tasks = await this.people.ask();
    await live(this.people, tasks);
    return tasks;
  }

  private async rest([task]: readonly TaskView[]): Promise<BatchState> {
    let state: BatchState = 'open';
    await until(async () => {
      ({ state } = (await this.people.insist<TaskView>('mo', `/v1/approvals/${task?.taskId}`)).batch);
      return REST.has(state);
    });
    return state;
  }
}
