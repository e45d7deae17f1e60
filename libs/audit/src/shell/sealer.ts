/** Seals what waits, tenant by tenant, and vouches for it: exactly once, wherever it dies and however many there are. */
import { randomBytes } from 'node:crypto';
import { isStoreAway, type TrailRecord } from '@triptych/protocol';
import { NONCE_BYTES } from '../core/box.js';
import type { Link } from '../core/chain.js';
import {
  CHECKPOINT_EVERY,
  checkpointIn,
  claimText,
  isDue,
  nextClaim,
  type Checkpoint,
} from '../core/checkpoint.js';
import type { CheckpointBook } from '../core/checkpoint-book.js';
import { link, recordIn, sealRecord, type Subjects } from '../core/sealed-record.js';
import type { Found, Sealed, Standing, TrailStore } from '../core/trail-store.js';

/** Whose a thread is now. */
export interface ThreadOwner {
  readonly tenant: string;
  readonly owner: string;
}

export interface SealerDeps {
  readonly store: TrailStore;
  readonly book: CheckpointBook;
  readonly signer: { sign(text: string): Promise<string> };
  /** undefined: there is no such thread any more. */
  readonly threadOf: (threadId: string) => Promise<ThreadOwner | undefined>;
  readonly report: (event: string, fields: Readonly<Record<string, unknown>>) => void;
  /** Names this process; no other has the name. */
  readonly writer: string;
}

/** Records in one step: some hundred kilobytes in one script. */
const STEP = 500;
/** Steps for one tenant before the next one has its turn. */
const MAX_STEPS = 200;
/** Each so many rounds all threads are looked at, not only those that announced a record lately. */
const FULL_EVERY = 30;
/** Checkpoints carried into the book at once. */
const LINES = 1_000;

const later = (a: Checkpoint | undefined, b: Checkpoint | undefined): Checkpoint | undefined =>
  (b?.n ?? 0) > (a?.n ?? 0) ? b : a;

export class Sealer {
  private rounds = 0;
  /** Tenants whose turn ended before all was sealed. */
  private readonly behind = new Set<string>();
  /** The checkpoint that vouches for more than there is, of tenants where that was told. */
  private readonly lost = new Map<string, number>();

  constructor(private readonly deps: SealerDeps) {}

  /** Rejects when the store is away; what fails for one tenant keeps no other from being sealed. */
  async round(): Promise<void> {
    const full = this.rounds++ % FULL_EVERY === 0;
    for await (const tenant of this.deps.store.tenants()) {
      try {
        const done = await this.sealAll(tenant, full || this.behind.has(tenant));
        if (done) this.behind.delete(tenant);
        else this.behind.add(tenant);
      } catch (error) {
        if (isStoreAway(error)) throw error;
        this.deps.report('audit.seal-failed', { tenant, error });
      }
    }
  }

  /** False: there is more. */
  private async sealAll(tenant: string, full: boolean): Promise<boolean> {
    const { store, writer } = this.deps;
    if (!(await store.lead(tenant, writer))) return true;
    if (full) await this.carry(tenant);
    for (let step = 0; step < MAX_STEPS; step++) {
      const found = await store.find(tenant, { limit: STEP, recent: !full });
      const last = await this.vouch(tenant, found.standing);
      if (found.waiting.length + found.foreign.length === 0) {
        if (full) await store.tidy(tenant);
        return true;
      }
      if ((await this.sealSome(tenant, found, last?.seq ?? 0)) === 'fenced') return true;
    }
    return false;
  }

  /** `covered`: no step goes past the place where the next checkpoint is due. */
  private async sealSome(
    tenant: string,
    { standing, waiting, foreign }: Found,
    covered: number,
  ): Promise<Sealed> {
    const { store, writer, report } = this.deps;
    const room = CHECKPOINT_EVERY - ((standing.seq - covered) % CHECKPOINT_EVERY);
    const some = waiting.slice(0, room);
    // Nothing is passed that comes behind what is left for the next step.
    const passed = some.length < waiting.length ? [] : foreign;
    const records = some.map((one) => recordIn(tenant, one));
    const { links, keys } = await this.linksOf(tenant, standing, records);
    const sealed = await store.seal(tenant, writer, {
      ...{ after: standing, links, waiting: some, passed, keys },
    });
    if (sealed === 'sealed' && passed.length > 0)
      report('audit.foreign-records', { tenant, records: passed.length, thread: passed[0]?.thread });
    return sealed;
  }

  private async linksOf(tenant: string, after: Standing, records: readonly TrailRecord[]) {
    const subjects = await this.subjectsOf(tenant, records);
    const names = new Set(subjects.flatMap(({ about, from }) => [about, from]));
    const keys = await this.deps.store.keysOf(tenant, [...names]);
    const keyOf = (subject: string) => {
      const key = keys.get(subject);
      if (!key) throw new Error('a subject was given no key');
      return key;
    };
    const links: Link[] = [];
    let head = { seq: after.seq, hash: after.hash };
    for (const [nth, record] of records.entries()) {
      const { about, from } = subjects[nth] as Subjects;
      const locking = { about: keyOf(about), from: keyOf(from), nonce: () => randomBytes(NONCE_BYTES) };
      head = link(head, sealRecord(head.seq + 1, record, locking));
      links.push(head as Link);
    }
    return { links, keys: [...keys.values()].map(({ id }) => id) };
  }

  private async subjectsOf(tenant: string, records: readonly TrailRecord[]): Promise<readonly Subjects[]> {
    const threads = [...new Set(records.flatMap(({ subject }) => subject.thread ?? []))];
    const found = await Promise.all(threads.map((thread) => this.deps.threadOf(thread)));
    const ownerOf = new Map(
      threads.flatMap((thread, nth) => {
        // A name that was free again may be another tenant's by now.
        const of = found[nth];
        return of?.tenant === tenant ? [[thread, of.owner] as const] : [];
      }),
    );
    return records.map(({ actor, subject }) => ({
      about: ownerOf.get(subject.thread ?? '') ?? actor.id,
      from: actor.id,
    }));
  }

  /** The checkpoint that vouches for what is sealed now. */
  private async vouch(tenant: string, standing: Standing): Promise<Checkpoint | undefined> {
    if (!isDue(standing.last, standing, standing.now)) return standing.last;
    const last = await this.lastOf(tenant, standing.last);
    this.lookForLoss(tenant, standing, last);
    if (!isDue(last, standing, standing.now)) return last;
    const claim = nextClaim(tenant, last, { seq: standing.seq, hash: standing.hash, at: standing.now });
    const next = { ...claim, jws: await this.deps.signer.sign(claimText(claim)) };
    const kept = await this.deps.store.vouch(tenant, this.deps.writer, { after: standing.last, next });
    if (!kept) return last;
    await this.carry(tenant);
    return next;
  }

  /** AUD-34: told once, until what was lost is caught up with. */
  private lookForLoss(tenant: string, { seq }: Standing, last: Checkpoint | undefined): void {
    const isLost = last !== undefined && last.seq > seq;
    if (!isLost) return void this.lost.delete(tenant);
    if (this.lost.get(tenant) === last.n) return;
    this.lost.set(tenant, last.n);
    this.deps.report('audit.tail-lost', { tenant, sealed: seq, vouched: last.seq });
  }

  private async lastInBook(tenant: string): Promise<Checkpoint | undefined> {
    return checkpointIn((await this.deps.book.last(tenant)) ?? '');
  }

  /** The later of what the store and the book have: a store may have lost its last words. */
  private async lastOf(tenant: string, kept: Checkpoint | undefined): Promise<Checkpoint | undefined> {
    try {
      return later(kept, await this.lastInBook(tenant));
    } catch (error) {
      this.deps.report('audit.checkpoints-failed', { tenant, error });
      return kept;
    }
  }

  /** Brings into the book what it lacks; one that cannot be written must not keep the trail from being sealed. */
  private async carry(tenant: string): Promise<void> {
    const { book, store, report } = this.deps;
    try {
      for (;;) {
        const { n = 0 } = (await this.lastInBook(tenant)) ?? {};
        const lines = await store.checkpoints(tenant, n + 1, LINES);
        await book.add(tenant, lines);
        if (lines.length < LINES) return;
      }
    } catch (error) {
      if (isStoreAway(error)) throw error;
      report('audit.checkpoints-failed', { tenant, error });
    }
  }
}
