/** Tells those who read an inbox how many tasks there are, when that changed for them. */
import { Inject, Injectable } from '@nestjs/common';
import { type Approvals, type CountsFor, wantsPast } from '@triptych/approvals';
import { APPROVALS } from '@triptych/assembly/nest';
import { inBackground, type Log } from '@triptych/platform';
import { LOG } from '@triptych/platform/nest';
import { sameJson } from '@triptych/protocol';
import { type OpenSession, Sessions } from '../rooms/sessions.js';

/** Counts follow a burst of changes at once, not each of them, ms. */
const COUNTS_AFTER_MS = 250;

@Injectable()
export class CountNews {
  private readonly waiting = new Map<string, NodeJS.Timeout>();
  private stopped = false;

  constructor(
    @Inject(APPROVALS) private readonly approvals: Approvals,
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(LOG) private readonly log: Log,
  ) {}

  soon(tenant: string): void {
    if (this.stopped || this.waiting.has(tenant) || this.sessions.reading(tenant).length === 0) return;
    const timer = setTimeout(() => {
      this.waiting.delete(tenant);
      inBackground(this.log, 'inbox-counts', this.count(tenant));
    }, COUNTS_AFTER_MS);
    this.waiting.set(tenant, timer);
  }

  /** What is told from now on is counted for nobody. */
  stop(): void {
    this.stopped = true;
    for (const timer of this.waiting.values()) clearTimeout(timer);
    this.waiting.clear();
  }

  /** Counted once for all who ask alike, and once more for those who look back. */
  private async count(tenant: string): Promise<void> {
    for (const past of [false, true]) {
      const asking = () =>
        this.sessions.reading(tenant).filter(({ inbox }) => inbox && wantsPast(inbox.filter) === past);
      if (asking().length === 0) continue;
      const countsFor = await this.approvals.countsIn(tenant, past);
      for (const open of asking()) tellCounts(open, countsFor);
    }
  }
}

/** Only what changed for this reader: that something changed for others is not theirs to know. */
const tellCounts = ({ actor, inbox, session }: OpenSession, countsFor: CountsFor): void => {
  const counts = inbox && countsFor(actor, inbox.filter);
  if (!inbox || !counts?.ok || sameJson(counts.value, inbox.counts)) return;
  inbox.counts = counts.value;
  session.send('counts', counts.value);
};
