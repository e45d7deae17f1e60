/** Has runs told in chats, from the worker's start to its end. */
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Teller } from '@triptych/bridges';
import { every, inBackground, type Log, type Shutdown } from '@triptych/platform';
import { LOG, SHUTDOWN } from '@triptych/platform/nest';
import { isStoreAway } from '@triptych/protocol';

/** A run that began is told so much later. */
const ROUND_MS = 250;

@Injectable()
export class ProgressRounds implements OnApplicationBootstrap {
  private going = false;

  constructor(
    @Inject(Teller) private readonly teller: Teller,
    @Inject(LOG) private readonly log: Log,
    @Inject(SHUTDOWN) private readonly shutdown: Shutdown,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.teller.canTell) return;
    const stop = every(ROUND_MS, () => inBackground(this.log, 'progress', this.round()));
    this.shutdown.add('progress-rounds', stop);
  }

  /** A round that takes long is not joined by the next; without the store there is nothing to find, and nothing lost. */
  private async round(): Promise<void> {
    if (this.going) return;
    this.going = true;
    try {
      for (const told of await this.teller.round())
        inBackground(this.log, 'progress-run', awayIsNoNews(told));
    } catch (error) {
      if (!isStoreAway(error)) throw error;
    } finally {
      this.going = false;
    }
  }
}

/** The entry is given to the next when its time as taken is up. */
const awayIsNoNews = async (work: Promise<void>): Promise<void> => {
  try {
    await work;
  } catch (error) {
    if (!isStoreAway(error)) throw error;
  }
};
