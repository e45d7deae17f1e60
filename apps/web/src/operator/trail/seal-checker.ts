/** Fetches what a record's seal is judged by, and keeps what was judged: neighbours share their checkpoints. */
import type { HubApi, Page } from '../../shared/hub-api.js';
import type { AuditRecord } from '../core/audit-record.js';
import {
  judgeShown,
  judgeStretch,
  stretchAround,
  type Broken,
  type Checkpoint,
  type SealTools,
  type SealVerdict,
  type Stretch,
  type Texts,
} from '../core/seal-check.js';
import { signatureTools, type KeySet } from './web-signatures.js';

/** Pages of 200 that are looked through for a checkpoint; older records are a matter for hubctl. */
const MAX_PAGES = 50;
/** A stretch that is longer is not fetched into a page; checkpoints come every thousand records. */
const MAX_RECORDS = 10_000;
/** Judged stretches that are kept. */
const KEPT = 4;

const UNREACHABLE = { state: 'unknown', why: 'unreachable' } as const;
const TOO_FAR = { state: 'unknown', why: 'far' } as const;

type Unknown = Extract<SealVerdict, { readonly state: 'unknown' | 'not-yet' }>;

export class SealChecker {
  private tools: Promise<SealTools | undefined> | undefined;
  private checkpoints: readonly Checkpoint[] = [];
  private cursor: string | undefined;
  private readonly judged = new Map<number, Promise<Broken | Texts | Unknown>>();

  constructor(private readonly api: HubApi) {}

  async check(record: AuditRecord): Promise<SealVerdict> {
    const tools = await this.signatures().catch(() => UNREACHABLE);
    if (tools === undefined) return { state: 'unknown', why: 'browser' };
    if ('state' in tools) return tools;
    const stretch = await this.stretchOf(record.seq);
    if ('state' in stretch) return stretch;
    const judged = await this.judgedOnce(stretch, tools);
    if ('state' in judged) return judged;
    return (
      judgeShown(record, judged.get(record.seq)) ?? {
        state: 'holds',
        checkpoint: stretch.cover,
        first: (stretch.before?.seq ?? 0) + 1,
      }
    );
  }

  /** The keys are asked for once; failing that, again next time. */
  signatures(): Promise<SealTools | undefined> {
    this.tools ??= this.fetchKeys().catch((error: unknown) => {
      this.tools = undefined;
      throw error;
    });
    return this.tools;
  }

  private async fetchKeys(): Promise<SealTools | undefined> {
    const keys = await this.api.get<KeySet>('/.well-known/jwks.json');
    if (!keys.ok) throw new Error(keys.refusal.message);
    return signatureTools(keys.value);
  }

  private async stretchOf(seq: number): Promise<Stretch | Unknown> {
    if ((this.checkpoints[0]?.seq ?? 0) < seq && !(await this.newest())) return UNREACHABLE;
    for (let turn = 0; turn < MAX_PAGES; turn += 1) {
      const oldest = this.checkpoints.at(-1);
      const reached = oldest === undefined || oldest.seq < seq || this.cursor === undefined;
      if (reached) return stretchAround(this.checkpoints, seq) ?? { state: 'not-yet' };
      if (!(await this.older(this.cursor))) return UNREACHABLE;
    }
    return TOO_FAR;
  }

  private newest(): Promise<boolean> {
    this.checkpoints = [];
    return this.older(undefined);
  }

  private async older(cursor: string | undefined): Promise<boolean> {
    const rest = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await this.api.get<Page<Checkpoint>>(`/v1/audit/checkpoints?limit=200${rest}`);
    if (!page.ok) return false;
    this.checkpoints = [...this.checkpoints, ...page.value.items];
    this.cursor = page.value.nextCursor;
    return true;
  }

  private judgedOnce(stretch: Stretch, tools: SealTools): Promise<Broken | Texts | Unknown> {
    const { n } = stretch.cover;
    const known = this.judged.get(n);
    if (known) return known;
    const judging = this.judge(stretch, tools);
    this.judged.set(n, judging);
    if (this.judged.size > KEPT) this.judged.delete([...this.judged.keys()][0] as number);
    void judging.then((found) => 'state' in found && this.judged.delete(n));
    return judging;
  }

  private async judge(stretch: Stretch, tools: SealTools): Promise<Broken | Texts | Unknown> {
    const { seq: upTo } = stretch.cover;
    const after = stretch.before?.seq ?? 0;
    if (upTo - after > MAX_RECORDS) return TOO_FAR;
    const file = await this.api.file(`/v1/audit/export?after=${after}&upTo=${upTo}`);
    if (!file.ok) return UNREACHABLE;
    return judgeStretch(stretch, (await file.value.text()).split('\n'), tools);
  }
}
