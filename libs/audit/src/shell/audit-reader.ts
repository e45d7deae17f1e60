/** Reads the sealed trail of a tenant: page by page from its end, or whole from its beginning. */
import { csvHead, csvRow, exportLine } from '../core/export-line.js';
import { boxesOf, openRecord, sealedIn, type OpenedRecord } from '../core/opened-record.js';
import type { SealedRecord } from '../core/sealed-record.js';
import type { Kept, SealedTrail } from '../core/sealed-trail.js';
import { matches, wordsOf, type TrailQuery } from '../core/trail-query.js';

/** Records in one reply of the store. */
const CHUNK = 500;
/** One page looks at so many records; the next one goes on behind them. */
const MAX_LOOKED_AT = 20_000;

export type AuditItem = OpenedRecord & { readonly hash: string };

export interface AuditPage {
  readonly items: readonly AuditItem[];
  /** Go on before this record; absent: that was all. */
  readonly before?: number;
}

export interface PageAsked extends TrailQuery {
  readonly before?: number;
  readonly limit: number;
}

interface Match {
  readonly kept: Kept;
  readonly record: SealedRecord;
}

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
  async *export(tenant: string, format: ExportFormat, query: TrailQuery): AsyncIterable<string> {
    const { seq: end } = await this.trail.head(tenant);
    if (format === 'csv') yield `${csvHead}\r\n`;
    const write = format === 'csv' ? csvRow : exportLine;
    const lineEnd = format === 'csv' ? '\r\n' : '\n';
    for (let at = 0; at < end;) {
      const chunk = await this.trail.after(tenant, at, CHUNK);
      at = Math.max(at + 1, chunk.at(-1)?.seq ?? end);
      const found = matchesIn(
        query,
        chunk.filter(({ seq }) => seq <= end),
      );
      const items = await this.opened(tenant, found);
      yield items.map(({ kept, opened }) => `${write(kept, opened)}${lineEnd}`).join('');
    }
  }

  private async itemsOf(tenant: string, found: readonly Match[]): Promise<readonly AuditItem[]> {
    const items = await this.opened(tenant, found);
    return items.map(({ kept, opened }) => ({ ...opened, hash: kept.hash }));
  }

  private async opened(tenant: string, found: readonly Match[]) {
    const keys = new Set(found.flatMap(({ record }) => boxesOf(record).map(({ key }) => key)));
    const secrets = await this.trail.secrets(tenant, [...keys]);
    return found.map(({ kept, record }) => ({ kept, opened: openRecord(record, secrets) }));
  }
}

const matchesIn = (query: TrailQuery, chunk: readonly Kept[]): readonly Match[] => {
  const words = wordsOf(query);
  return chunk
    .filter(({ text }) => words.every((word) => text.includes(word)))
    .map((kept) => ({ kept, record: sealedIn(kept.text) }))
    .filter(({ record }) => matches(query, record));
};
