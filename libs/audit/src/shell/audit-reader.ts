/** Reads the sealed trail of a tenant: page by page from its end, or whole from its beginning. */
import { csvHead, csvRow, exportLine, holeLine, holeRow } from '../core/export-line.js';
import { isHole, readKept, type Hole } from '../core/hole.js';
import { boxesOf, openRecord, type OpenedRecord } from '../core/opened-record.js';
import type { SealedRecord } from '../core/sealed-record.js';
import type { Kept, SealedTrail } from '../core/sealed-trail.js';
import { matches, wordsOf, type TrailQuery } from '../core/trail-query.js';

/** Records in one reply of the store. */
const CHUNK = 500;
/** One page looks at so many records; the next one goes on behind them. */
const MAX_LOOKED_AT = 20_000;

export type AuditItem = OpenedRecord & { readonly hash: string };

export interface AuditPage {
  readonly items: readonly (AuditItem | Hole)[];
  /** Go on before this record; absent: that was all. */
  readonly before?: number;
}

export interface PageAsked extends TrailQuery {
  readonly before?: number;
  readonly limit: number;
}

/** Records behind `after`, up to `upTo` itself: as much as a checkpoint vouches for, say. */
export interface ExportAsked extends TrailQuery {
  readonly after?: number;
  readonly upTo?: number;
}

export const isRecord = (item: AuditItem | Hole): item is AuditItem => !('hole' in item);

interface Match {
  readonly kept: Kept;
  readonly found: SealedRecord | Hole;
}

/** The same, with its boxes opened. */
interface Opened {
  readonly kept: Kept;
  readonly item: OpenedRecord | Hole;
}

const WRITERS = {
  jsonl: { record: exportLine, hole: holeLine, end: '\n' },
  csv: { record: csvRow, hole: holeRow, end: '\r\n' },
} as const;

export type ExportFormat = 'jsonl' | 'csv';

export class AuditReader {
  constructor(private readonly trail: SealedTrail) {}

  /** Newest first. A page may hold fewer than were asked for, and yet not be the last. */
  async page(tenant: string, { before, limit, ...query }: PageAsked): Promise<AuditPage> {
    const found: Match[] = [];
    let at = before ?? Number.MAX_SAFE_INTEGER;
    for (let looked = 0; looked < MAX_LOOKED_AT; looked += CHUNK) {
      const chunk = await this.trail.before(tenant, at, CHUNK);
      for (const kept of chunk) {
        at = kept.seq;
        found.push(...matchesIn(query, [kept]));
        if (found.length === limit) return { items: await this.itemsOf(tenant, found), before: at };
      }
      // Nothing was sealed before it happened.
      const over = (chunk.at(-1)?.sealedAt ?? 0) < (query.from ?? 0);
      if (chunk.length < CHUNK || over) return { items: await this.itemsOf(tenant, found) };
    }
    return { items: await this.itemsOf(tenant, found), before: at };
  }

  /** All that is sealed now and matches, in order, in pieces. */
  async *export(tenant: string, format: ExportFormat, asked: ExportAsked): AsyncIterable<string> {
    const { after = 0, upTo = Infinity, ...query } = asked;
    const end = Math.min(upTo, (await this.trail.head(tenant)).seq);
    const { record, hole, end: lineEnd } = WRITERS[format];
    if (format === 'csv') yield `${csvHead}${lineEnd}`;
    const write = ({ kept, item }: Opened): string =>
      'hole' in item ? hole(item, kept) : record(kept, item);
    for (let at = after; at < end;) {
      const chunk = await this.trail.after(tenant, at, CHUNK);
      at = Math.max(at + 1, chunk.at(-1)?.seq ?? end);
      const found = matchesIn(
        query,
        chunk.filter(({ seq }) => seq <= end),
      );
      const items = await this.opened(tenant, found);
      yield items.map((one) => `${write(one)}${lineEnd}`).join('');
    }
  }

  private async itemsOf(tenant: string, found: readonly Match[]): Promise<AuditPage['items']> {
    const items = await this.opened(tenant, found);
    return items.map(({ kept, item }) => ('hole' in item ? item : { ...item, hash: kept.hash }));
  }

  private async opened(tenant: string, matches: readonly Match[]): Promise<readonly Opened[]> {
    const records = matches.flatMap(({ found }) => (isHole(found) ? [] : [found]));
    const keys = new Set(records.flatMap((record) => boxesOf(record).map(({ key }) => key)));
    const secrets = await this.trail.secrets(tenant, [...keys]);
    return matches.map(({ kept, found }) => ({
      kept,
      item: isHole(found) ? found : openRecord(found, secrets),
    }));
  }
}

const matchesIn = (query: TrailQuery, chunk: readonly Kept[]): readonly Match[] => {
  const words = wordsOf(query);
  return chunk
    .filter(({ text }) => words.every((word) => text.includes(word)))
    .map((kept) => ({ kept, found: readKept(kept) }))
    .filter(({ found }) => matches(query, found));
};
