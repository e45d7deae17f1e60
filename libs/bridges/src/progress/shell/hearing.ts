/** Hears one run as reviewers see it, and wakes whoever waits for more of it. */
import type { AguiEvent } from '@triptych/protocol';
import type { RunListener } from '../core/ports.js';
import {
  noProgress,
  noteBefore,
  nothingBefore,
  progressStep,
  type RunProgress,
} from '../core/run-progress.js';

export class Hearing implements RunListener {
  /** What was heard is void: the run is to be heard anew. */
  isLost = false;
  private readonly known = nothingBefore();
  private heard: RunProgress;
  private wake = new AbortController();

  constructor(runId: string) {
    this.heard = noProgress(runId, this.known);
  }

  get progress(): RunProgress {
    return this.heard;
  }

  before(events: readonly AguiEvent[]): void {
    for (const event of events) noteBefore(this.known, event);
  }

  after(events: readonly AguiEvent[]): void {
    this.heard = events.reduce(progressStep, this.heard);
    this.wake.abort();
  }

  lost(): void {
    this.isLost = true;
    this.wake.abort();
  }

  /** Aborted with the next that is heard; to be taken before what was heard is looked at. */
  get next(): AbortSignal {
    if (this.wake.signal.aborted) this.wake = new AbortController();
    return this.wake.signal;
  }
}
