/** Judges by the published keys alone whether a record is the one that was sealed; the hub's own word counts for nothing. */
import canonicalize from 'canonicalize';
import type { AuditRecord } from './audit-record.js';

export interface Checkpoint {
  readonly tenant: string;
  readonly n: number;
  readonly seq: number;
  readonly head: string;
  readonly at: number;
  readonly previous?: string;
  readonly jws: string;
}

export interface SealTools {
  readonly sha256: (bytes: Uint8Array<ArrayBuffer>) => Promise<ArrayBuffer>;
  /** Whether one of the published keys made this detached signature of the text. */
  readonly signed: (jws: string, text: string) => Promise<boolean>;
}

export type Flaw = 'signature' | 'order' | 'changed' | 'missing' | 'rewritten' | 'shown';

export interface Broken {
  readonly state: 'broken';
  readonly why: Flaw;
  /** The first record it was found at. */
  readonly seq: number;
}

export type SealVerdict =
  | Broken
  | { readonly state: 'holds'; readonly checkpoint: Checkpoint; readonly first: number }
  | { readonly state: 'not-yet' }
  | { readonly state: 'unknown'; readonly why: 'browser' | 'unreachable' | 'far' };

/** Records between two checkpoints; the first has none before it. */
export interface Stretch {
  readonly before: Checkpoint | undefined;
  readonly cover: Checkpoint;
}

export type Texts = ReadonlyMap<number, string>;

const GENESIS = '0'.repeat(64);

/** What of a checkpoint is signed: its canonical form (RFC 8785). */
export const claimText = ({ tenant, n, seq, head, at, previous }: Checkpoint): string =>
  canonicalize({ tenant, n, seq, head, at, ...(previous === undefined ? {} : { previous }) }) ?? '';

/** The checkpoints around a record; `items` newest first. Undefined: none vouches for it yet. */
export const stretchAround = (items: readonly Checkpoint[], seq: number): Stretch | undefined => {
  const at = items.findLastIndex((checkpoint) => checkpoint.seq >= seq);
  const cover = items[at];
  return cover && { cover, before: items[at + 1] };
};

const bytesOf = (hex: string): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(hex.length / 2);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  return bytes;
};
const hexOf = (buffer: ArrayBuffer): string =>
  Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');

const linkHash = async ({ sha256 }: SealTools, before: string, text: string): Promise<string> => {
  const [head, body] = [bytesOf(before), new TextEncoder().encode(text)];
  const all = new Uint8Array(head.length + body.length);
  all.set(head);
  all.set(body, head.length);
  return hexOf(await sha256(all));
};

const LINE = /^\{"hash":"([\da-f]{64})","length":(\d{1,9}),"record":/u;

/** The record stands in the line as it was sealed, byte for byte. */
const sealedIn = (line: string): { readonly text: string; readonly hash: string } | undefined => {
  const [head, hash, length] = LINE.exec(line) ?? [];
  if (head === undefined || hash === undefined) return undefined;
  return { hash, text: line.slice(head.length, head.length + Number(length)) };
};

const seqIn = (text: string): number | undefined => {
  try {
    return (JSON.parse(text) as { seq?: number }).seq;
  } catch {
    // What is no record has no number.
    return undefined;
  }
};

const broken = (why: Flaw, seq: number): Broken => ({ state: 'broken', why, seq });

const judgeSignatures = async ({ before, cover }: Stretch, tools: SealTools): Promise<Broken | undefined> => {
  for (const checkpoint of before ? [before, cover] : [cover])
    if (!(await tools.signed(checkpoint.jws, claimText(checkpoint))))
      return broken('signature', checkpoint.seq);
  const follows = cover.previous === before?.jws && cover.n === (before?.n ?? 0) + 1;
  return follows ? undefined : broken('order', cover.seq);
};

/** Each record is linked to the one before it, and the last is the one that was signed for. */
export const judgeStretch = async (
  stretch: Stretch,
  lines: readonly string[],
  tools: SealTools,
): Promise<Broken | Texts> => {
  const bad = await judgeSignatures(stretch, tools);
  if (bad) return bad;
  const { before, cover } = stretch;
  const texts = new Map<number, string>();
  let hash = before?.head ?? GENESIS;
  for (let seq = (before?.seq ?? 0) + 1; seq <= cover.seq; seq += 1) {
    const found = sealedIn(lines[texts.size] ?? '');
    if (found === undefined || seqIn(found.text) !== seq) return broken('missing', seq);
    hash = await linkHash(tools, hash, found.text);
    if (hash !== found.hash) return broken('changed', seq);
    texts.set(seq, found.text);
  }
  return hash === cover.head ? texts : broken('rewritten', cover.seq);
};

const SEALED_APART = new Set(['hash', 'before', 'after', 'ip', 'ua', 'erased', 'damaged', 'about', 'from']);

const inClear = (record: object): string | undefined =>
  canonicalize(Object.fromEntries(Object.entries(record).filter(([name]) => !SEALED_APART.has(name))));

/** What the page shows must be what was sealed, as far as it was sealed in clear. */
export const judgeShown = (record: AuditRecord, text: string | undefined): Broken | undefined =>
  text !== undefined && inClear(JSON.parse(text) as object) === inClear(record)
    ? undefined
    : broken('shown', record.seq);
