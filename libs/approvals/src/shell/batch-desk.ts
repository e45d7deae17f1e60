/** Lets operators find the batches that need a person, and set them going again. */
import { can, type Actor } from '@triptych/access';
import { ok, refuse, type BatchState, type BatchView, type Result } from '@triptych/protocol';
import type { IndexPlace } from '../core/approval-store.js';
import { batchView, unreadableView } from '../core/batch-view.js';
import { parseBatchId } from '../core/ids.js';
import { DEFAULT_PAGE, MAX_PAGE } from '../core/inbox-query.js';
import { cursorOf, parseCursor } from '../core/place-cursor.js';
import { retry, STUCK_STATES } from '../core/mend.js';
import { amend } from './amend.js';
import type { Desk } from './desk.js';

export interface BatchQuery {
  /** Default: every state in which a batch needs a person. No other is listed. */
  readonly states?: readonly BatchState[];
  readonly cursor?: string;
  readonly limit?: number;
}

export interface BatchPage {
  readonly items: readonly BatchView[];
  readonly nextCursor?: string;
}

interface Flagged {
  readonly place: IndexPlace;
  readonly view: BatchView | undefined;
}

/** Entries looked at together; most of them are what is asked for. */
const STEP = 100;
/** What one question may look through; the next page goes on from there. */
const MAX_SCANNED = 5_000;

export class BatchDesk {
  constructor(private readonly desk: Desk) {}

  async retry(actor: Actor, batchId: string): Promise<Result<BatchView>> {
    if (!can(actor, 'batch.mend', { tenant: actor.tenant })) return refuse('FORBIDDEN');
    if (!parseBatchId(batchId)) return refuse('NOT_FOUND');
    const amended = await amend(this.desk, { batchId, cause: actor }, ({ batch, now }) =>
      batch.facts.tenant === actor.tenant ? retry(batch, { by: actor.subject, now }) : refuse('NOT_FOUND'),
    );
    return amended.ok ? ok(batchView(amended.value.batch)) : amended;
  }

  /** Newest first. */
  async list(actor: Actor, query: BatchQuery): Promise<Result<BatchPage>> {
    if (!can(actor, 'batch.list', { tenant: actor.tenant })) return refuse('FORBIDDEN');
    const after = parseCursor(query.cursor);
    if (!after.ok) return after;
    const limit = Math.min(query.limit ?? DEFAULT_PAGE, MAX_PAGE);
    const wanted = STUCK_STATES.filter((state) => query.states?.includes(state) ?? true);
    const items: BatchView[] = [];
    let last = after.value;
    let scanned = 0;
    for await (const { place, view } of this.walk(actor.tenant, after.value)) {
      if (last && (items.length === limit || scanned === MAX_SCANNED))
        return ok({ items, nextCursor: cursorOf(last) });
      if (view && wanted.includes(view.state)) items.push(view);
      last = place;
      scanned += 1;
    }
    return ok({ items });
  }

  /** A batch may have gone on since it was flagged, or not be there yet. */
  private async *walk(tenant: string, after: IndexPlace | undefined): AsyncGenerator<Flagged> {
    let place = after;
    for (;;) {
      const page = { limit: STEP, ...(place ? { after: place } : {}) };
      const places = await this.desk.store.flagged(tenant, page);
      const loaded = await this.desk.store.loadMany(places.map(({ member }) => member));
      const views = new Map(loaded.map(({ batch }) => [batch.facts.batchId, batchView(batch)]));
      for (const found of places)
        yield { place: found, view: views.get(found.member) ?? (await this.unreadable(found.member)) };
      place = places.at(-1);
      if (places.length < STEP) return;
    }
  }

  private async unreadable(batchId: string): Promise<BatchView | undefined> {
    const facts = await this.desk.store.factsOf(batchId);
    return facts && unreadableView(facts);
  }
}
