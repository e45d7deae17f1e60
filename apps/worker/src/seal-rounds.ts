/** Has the trail sealed at intervals, from the worker's start to its end. */
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { SEALER } from '@triptych/assembly/nest';
import type { Sealer } from '@triptych/audit';
import { every, inBackground, type Log, type Shutdown } from '@triptych/platform';
import { LOG, SHUTDOWN } from '@triptych/platform/nest';
import { isStoreAway } from '@triptych/protocol';

/** What was done shows in the sealed trail about so much later. */
const ROUND_MS = 1_000;

@Injectable()
export class SealRounds implements OnApplicationBootstrap {
  private sealing: Promise<void> | undefined;

  constructor(
    @Inject(SEALER) private readonly sealer: Sealer,
    @Inject(LOG) private readonly log: Log,
    @Inject(SHUTDOWN) private readonly shutdown: Shutdown,
  ) {}

  onApplicationBootstrap(): void {
    const stop = every(ROUND_MS, () => inBackground(this.log, 'seal', this.round()));
    this.shutdown.add('seal-rounds', async () => {
      stop();
      // A step that is under way may end.
      await this.sealing?.catch(() => undefined);
    });
  }

  /** A round that takes long is not joined by the next. */
  private async round(): Promise<void> {
    if (this.sealing) return;
    this.sealing = this.sealer.round();
    try {
      await this.sealing;
    } catch (error) {
      // The connection tells of it itself.
      if (!isStoreAway(error)) throw error;
    } finally {
      this.sealing = undefined;
    }
  }
}
