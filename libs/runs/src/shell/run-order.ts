/** What carrying a run takes: its order and its surroundings. */
import type { Intake } from '../core/intake.js';
import type { CalledAgent, ResumeOrder } from '../core/ports.js';
import type { AdmittedRun } from '../core/run-record.js';
import type { FoldedThread } from './fold-thread.js';
import type { WriterDeps } from './run-writer.js';

export interface CarryDeps extends WriterDeps {
  /** Milliseconds an agent's stream is read on after its run is over. */
  readonly lingerMs: number;
  /** What one event of an agent may have. */
  readonly eventLimits: {
    readonly maxEventBytes: number;
    /** The same for events that hold a whole model. */
    readonly maxSnapshotBytes: number;
    readonly maxDepth?: number;
    readonly maxPatchOps?: number;
    readonly maxInterrupts?: number;
  };
}

export interface RunOrder {
  readonly admitted: AdmittedRun;
  readonly agent: CalledAgent;
  readonly intake: Intake;
  readonly resume?: ResumeOrder;
  /** The thread as it was folded before the admission; absent: from the beginning. */
  readonly folded?: FoldedThread;
}
