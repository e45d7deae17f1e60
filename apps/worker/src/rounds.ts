/** Sends the sweeper round at intervals, from the worker's start to its end. */
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { every, inBackground, type Log, type Shutdown } from '@triptych/platform';
import { LOG, SHUTDOWN } from '@triptych/platform/nest';
import { isStoreAway } from '@triptych/protocol';
import { Sweeper } from './sweeper.js';

/** A lost run is mourned at most this long after its lease ran out; for everything else the queue is faster. */
const ROUND_MS = 1_000;

@Injectable()
export class Rounds implements OnApplicationBootstrap {
  constructor(
    @Inject(Sweeper) private readonly sweeper: Sweeper,
    @Inject(LOG) private readonly log: Log,
    @Inject(SHUTDOWN) private readonly shutdown: Shutdown,
  ) {}

  onApplicationBootstrap(): void {
    const stop = every(ROUND_MS, () => inBackground(this.log, 'sweep', this.round()));
    this.shutdown.add('rounds', stop);
  }

  /** While the store is away there is nothing to find; the connection tells of it itself. */
  private async round(): Promise<void> {
    try {
      await this.sweeper.sweep();
    } catch (error) {
      if (!isStoreAway(error)) throw error;
    }
  }
}
