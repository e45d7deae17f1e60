/** Lets operators find the batches that need a person, and decide what becomes of them. */
import { permit, type Actor } from '@triptych/access';
import { ok, refuse, type BatchState, type BatchView, type Result } from '@triptych/protocol';
import { UnreadableBatch, type IndexPlace } from '../core/approval-store.js';
import { requesterOf } from '../core/batch.js';
import { batchView, unreadableView } from '../core/batch-view.js';
import { isNoChange, withChange } from '../core/change.js';
import { parseBatchId } from '../core/ids.js';
import { DEFAULT_PAGE, MAX_PAGE } from '../core/inbox-query.js';
import { cursorOf, parseCursor } from '../core/place-cursor.js';
import { cancel, markDone, reopen, retry, STUCK_STATES, type Mend } from '../core/mend.js';
import type { Guard, Rider } from '../core/rider.js';
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

const MENDS = { retry, reopen, cancel } as const satisfies Readonly<Record<string, Mend>>;
export type MendVerb = keyof typeof MENDS;

export interface Mending {
  readonly verb: MendVerb;
  readonly reason?: string;
  /** Of a retry: the attempt that it is about. */
  readonly attempt?: number;
}

/** A batch as it is once it is declared done. */
export interface BatchClosing {
  readonly view: BatchView;
  /** To be stored with the hub's own run; absent: it is done already. */
  readonly close?: {
    readonly batchId: string;
    readonly threadId: string;
    readonly runId: string;
    /** Who gave the input that began the chain of runs. */
    readonly requester: string;
    readonly guards: readonly Guard[];
    readonly riders: readonly Rider[];
  };
}

const UNREADABLE = {
  message: 'What is stored of this batch cannot be read. Nothing can be done with it before that is mended.',
  details: { code: 'hub/batch-unreadable' },
};

const mayMend = (actor: Actor, batchId: string): Result<true> => {
  const allowed = permit(actor, 'batch.mend', { tenant: actor.tenant });
  if (!allowed.ok) return allowed;
  return parseBatchId(batchId) ? ok(true) : refuse('NOT_FOUND');
};

export class BatchDesk {
  constructor(private readonly desk: Desk) {}

  async mend(actor: Actor, batchId: string, { verb, ...said }: Mending): Promise<Result<BatchView>> {
    const named = mayMend(actor, batchId);
    if (!named.ok) return named;
    return this.whereReadable(actor, batchId, async () => {
      const amended = await amend(this.desk, { batchId, cause: actor }, ({ batch, now }) =>
        batch.facts.tenant === actor.tenant
          ? MENDS[verb](batch, { by: actor.subject, now, ...said })
          : refuse('NOT_FOUND'),
      );
      return amended.ok ? ok(batchView(amended.value.batch)) : amended;
    });
  }

  /** APR-90: what cannot be read cannot be mended from here; whoever may know that it exists is told so. */
  private async whereReadable<T>(
    { tenant }: Actor,
    batchId: string,
    act: () => Promise<Result<T>>,
  ): Promise<Result<T>> {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof UnreadableBatch)) throw error;
      const facts = await this.desk.store.factsOf(batchId);
      return facts?.tenant === tenant ? refuse('FORBIDDEN', UNREADABLE) : refuse('NOT_FOUND');
    }
  }

  /** Declares a batch done in the step that stores the hub's own run about it. */
  async closingFor(actor: Actor, batchId: string, reason?: string): Promise<Result<BatchClosing>> {
    const named = mayMend(actor, batchId);
    if (!named.ok) return named;
    return this.whereReadable(actor, batchId, () => this.closing(actor, batchId, reason));
  }

  private async closing(actor: Actor, batchId: string, reason?: string): Promise<Result<BatchClosing>> {
    const loaded = await this.desk.store.load(batchId);
    if (loaded?.batch.facts.tenant !== actor.tenant) return refuse('NOT_FOUND');
    const { batch, now } = loaded;
    const judged = markDone(batch, { by: actor.subject, now, reason });
    if (!judged.ok) return judged;
    const view = batchView(withChange(batch, judged.value));
    if (isNoChange(judged.value)) return ok({ view });
    await this.desk.store.expectRecord(batch, now);
    await this.desk.store.watch(batch, now);
    const { guards, riders } = this.desk.store.changeRiders(batch, judged.value, actor);
    const { threadId } = batch.facts;
    const step = { guards, riders: [...riders, this.desk.store.releasedRider(batch)] };
    const run = { batchId, threadId, runId: this.desk.newId(), requester: requesterOf(batch.facts) };
    return ok({ view, close: { ...run, ...step } });
  }

  /** Newest first. */
  async list(actor: Actor, query: BatchQuery): Promise<Result<BatchPage>> {
    const allowed = permit(actor, 'batch.list', { tenant: actor.tenant });
    if (!allowed.ok) return allowed;
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
