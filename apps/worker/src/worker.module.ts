/** The contents of the worker: what must happen later or elsewhere, once. */
import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import { RESUME_QUEUE, TIMER_QUEUE } from '@triptych/approvals';
import { type ProcessParts, queueConnection } from '@triptych/assembly';
import { AssemblyModule } from '@triptych/assembly/nest';
import { NOTIFY_QUEUE } from '@triptych/bridges';
import { PlatformModule } from '@triptych/platform/nest';
import { Courier } from './courier.js';
import { Deadlines } from './deadlines.js';
import { LostRuns } from './lost-runs.js';
import { NotifyRounds } from './notify-rounds.js';
import { NotifyProcessor } from './notify.processor.js';
import { notifyProvider } from './notify.providers.js';
import { ResumeProcessor } from './resume.processor.js';
import { OldThreads } from './old-threads.js';
import { PolicyRecord } from './policy-record.js';
import { ProgressRounds } from './progress-rounds.js';
import { tellerProvider } from './progress.providers.js';
import { Rounds } from './rounds.js';
import { SealRounds } from './seal-rounds.js';
import { Sweeper } from './sweeper.js';
import { TimerProcessor } from './timer.processor.js';

@Module({})
export class WorkerModule {
  static forRoot(parts: ProcessParts): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        PlatformModule.forRoot(parts),
        AssemblyModule.forRoot(parts),
        BullModule.forRoot({ connection: queueConnection(parts.redisUrl) }),
        BullModule.registerQueue({ name: RESUME_QUEUE }, { name: TIMER_QUEUE }, { name: NOTIFY_QUEUE }),
      ],
      providers: [
        Courier,
        Deadlines,
        LostRuns,
        notifyProvider,
        NotifyProcessor,
        NotifyRounds,
        OldThreads,
        PolicyRecord,
        ProgressRounds,
        tellerProvider,
        Sweeper,
        Rounds,
        SealRounds,
        ResumeProcessor,
        TimerProcessor,
      ],
    };
  }
}
