/** Shares out the calls that may be under way at once between the agents they go to. */
import pLimit, { type LimitFunction } from 'p-limit';

export interface Room {
  readonly all: number;
  /** One that answers slowly keeps no other waiting. */
  readonly toOne: number;
}

export class CallRoom {
  private readonly all: LimitFunction;
  private readonly shares = new Map<string, LimitFunction>();
  private stopped = false;

  constructor(private readonly room: Room) {
    this.all = pLimit({ concurrency: room.all, rejectOnClear: true });
  }

  get isClosed(): boolean {
    return this.stopped;
  }

  /** Rejects where the room was closed before there was any for it. */
  call(agentId: string, work: () => Promise<void>): Promise<void> {
    return this.shareOf(agentId)(() => this.within(work));
  }

  /** Resolves once there is room for one more; with false when there will be none any more. */
  async free(): Promise<boolean> {
    try {
      await this.within(() => Promise.resolve());
      return true;
    } catch (error) {
      if (!this.stopped) throw error;
      return false;
    }
  }

  /** Nothing is begun any more; what is under way goes on. */
  close(): void {
    this.stopped = true;
    this.all.clearQueue();
  }

  private async within(work: () => Promise<void>): Promise<void> {
    await this.all(() => {
      if (this.stopped) throw new Error('Nothing is begun any more.');
      return work();
    });
  }

  private shareOf(agentId: string): LimitFunction {
    const share = this.shares.get(agentId) ?? pLimit(this.room.toOne);
    this.shares.set(agentId, share);
    return share;
  }
}
