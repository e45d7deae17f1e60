/** Works a destination's lane through: one task after the other, at the pace the destination bears, one worker at a time. */
import type { Destination } from '../core/destination.js';
import { batchIdOf } from '../core/notice-task.js';
import type { TakenEntry } from '../core/posting-store.js';
import type { Lookout } from './lookout.js';
import type { NotifyDesk } from './notify-desk.js';
import type { Showing } from './showing.js';

export class Lanes {
  private readonly ending = new AbortController();
  /** By destination; true: somebody knocked meanwhile. */
  private readonly atWork = new Map<string, boolean>();

  constructor(
    private readonly desk: NotifyDesk,
    private readonly showing: Showing,
    private readonly lookout: Lookout,
  ) {}

  /** No further step is begun; what is under way ends by itself. */
  stop(): void {
    this.ending.abort();
  }

  /** Lanes in which something waits though nobody knocked. */
  async forgotten(): Promise<readonly string[]> {
    const { store, bridges } = this.desk;
    const all = [...bridges.destinations.keys()];
    return all.length === 0 ? [] : store.waiting(all, await store.now());
  }

  /** Until nothing in it is due; whoever else works it through does this too. */
  async work(destinationId: string): Promise<void> {
    const destination = this.desk.bridges.destinations.get(destinationId);
    if (!destination) return;
    // Within one worker too, a lane has one hand.
    if (this.atWork.has(destinationId)) return void this.atWork.set(destinationId, true);
    this.atWork.set(destinationId, false);
    try {
      while (!this.ending.signal.aborted && ((await this.step(destination)) || this.wasAsked(destinationId)));
    } finally {
      this.atWork.delete(destinationId);
    }
  }

  private wasAsked(destinationId: string): boolean {
    const asked = this.atWork.get(destinationId) === true;
    this.atWork.set(destinationId, false);
    return asked;
  }

  /** False: there is nothing more to do now. */
  private async step(destination: Destination): Promise<boolean> {
    const { store, worker } = this.desk;
    const lead = await store.lead(destination.id, worker);
    if (lead.kind === 'taken') return false;
    if (lead.kind === 'held') return this.knock(destination, (await store.now()) + lead.forMs);
    const next = await store.takeNext(destination.id);
    if (next) return this.showNext(destination, next);
    const left = await store.leave(destination.id, worker);
    if (left === 'due') return true;
    return left.nextAt === undefined ? false : this.knock(destination, left.nextAt);
  }

  private async showNext(destination: Destination, next: TakenEntry): Promise<boolean> {
    const { store, worker, sleep, speak } = this.desk;
    const { again, holdMs, reroute } = await this.showing.show(destination, next.member);
    await store.settleNext(destination.id, next, again);
    if (reroute) await this.lookout.look(batchIdOf(next.member));
    if (holdMs !== undefined) {
      await store.hold(destination.id, Math.ceil(holdMs));
      await store.leave(destination.id, worker);
      return this.knock(destination, (await store.now()) + holdMs);
    }
    const gapMs = speak.get(destination.kind)?.gapMs ?? 0;
    if (gapMs > 0) await sleep(gapMs, this.ending.signal).catch(() => undefined);
    return true;
  }

  private async knock({ id }: Destination, at: number): Promise<false> {
    await this.desk.knocks.work(id, at, await this.desk.store.now());
    return false;
  }
}
