/** Sees to all that is due, page by page, and has sent what became ready by it. */
import { Inject, Injectable } from '@nestjs/common';
import type { Approvals } from '@triptych/approvals';
import { APPROVALS } from '@triptych/assembly/nest';
import { Courier } from './courier.js';

/** One round goes on for so long while there is more; the next goes on from there. Milliseconds. */
const DRAIN_MS = 5_000;

@Injectable()
export class Deadlines {
  constructor(
    @Inject(APPROVALS) private readonly approvals: Approvals,
    @Inject(Courier) private readonly courier: Courier,
  ) {}

  async drain(): Promise<void> {
    const end = performance.now() + DRAIN_MS;
    for (let more = true; more && performance.now() < end;) {
      const swept = await this.approvals.sweep();
      for (const batchId of swept.ready) this.courier.dispatch(batchId);
      ({ more } = swept);
    }
  }
}
