/** One run while this process holds its lease: the lease is renewed until the run is over. */
import type { RunErrorCode } from '@triptych/protocol';
import type { JudgedEvent, Rider } from '../core/ports.js';
import { startHeartbeat, type Beating } from './heartbeat.js';
import type { RunWriter } from './run-writer.js';

export class HeldRun {
  readonly stopBeating: () => void;

  constructor(
    readonly writer: RunWriter,
    beating: Beating,
  ) {
    this.stopBeating = startHeartbeat(writer.run.lease, beating);
  }

  get runId(): string {
    return this.writer.run.lease.runId;
  }

  get isOver(): boolean {
    return this.writer.ending !== undefined;
  }

  get hasFailed(): boolean {
    return this.writer.ending?.status === 'failed';
  }

  /** A late error follows the end that was stored. */
  failedLate(code?: string): void {
    this.writer.ending = { status: 'failed', ...(code === undefined ? {} : { code }) };
  }

  async write(events: readonly JudgedEvent[]): Promise<number> {
    const taken = await this.writer.write(events);
    if (this.isOver) this.stopBeating();
    return taken;
  }

  async fail(code: RunErrorCode, extra: readonly Rider[] = []): Promise<void> {
    await this.writer.fail(code, extra);
    this.stopBeating();
  }
}
