/** Has threads forgotten that were idle for `THREAD_TTL_DAYS`; unset, they stay. */
import { Inject, Injectable } from '@nestjs/common';
import { IDLE_THREADS } from '@triptych/assembly/nest';
import type { Settings } from '@triptych/platform';
import { SETTINGS } from '@triptych/platform/nest';
import type { IdleThreads } from '@triptych/runs';

const DAY_MS = 86_400_000;

@Injectable()
export class OldThreads {
  constructor(
    @Inject(IDLE_THREADS) private readonly idle: IdleThreads,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async forget(): Promise<void> {
    const { threadTtlDays: days } = this.settings;
    if (days !== undefined) await this.idle.forget(days * DAY_MS);
  }
}
