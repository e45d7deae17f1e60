/** What is sealed of a record: all that is no personal data in clear, the rest in boxes. */
import { hash } from 'node:crypto';
import { canonicalOf } from '@triptych/access';
import { trailRecordIn, type TrailNote, type TrailRecord } from '@triptych/protocol';
import { lock, type Box, type SubjectKey } from './box.js';
import { linkHash, type Head, type Link } from './chain.js';

/** One record as it waits in a stream. */
export interface Waiting {
  readonly source: string;
  /** Its id there; the store's time is in it. */
  readonly id: string;
  readonly text: string;
  /** Whose stream it is; absent: its tenant's own. */
  readonly thread?: string;
}

type Personal = 'before' | 'after' | 'ip' | 'ua';

export interface SealedRecord extends Omit<TrailRecord, Personal> {
  readonly seq: number;
  /** `before` and `after`, under the key of the thread's owner. */
  readonly about?: Box;
  /** `ip` and `ua`, under the key of whoever acted. */
  readonly from?: Box;
}

/** Whose keys a record is locked with. */
export interface Subjects {
  readonly about: string;
  readonly from: string;
}

const SYSTEM = { id: 'hub', via: 'system' } as const;

const isNote = (record: TrailRecord): boolean =>
  typeof record.tenant === 'string' &&
  typeof record.action === 'string' &&
  typeof record.actor?.id === 'string' &&
  typeof record.subject === 'object' &&
  record.subject !== null;

const read = ({ id, text }: Waiting): TrailRecord | undefined => {
  try {
    const record = trailRecordIn(id, text);
    return isNote(record) && canonicalOf(clear(record)) !== undefined ? record : undefined;
  } catch {
    // No JSON at all.
    return undefined;
  }
};

const clear = ({
  before: _b,
  after: _a,
  ip: _i,
  ua: _u,
  ...rest
}: TrailRecord): Omit<TrailRecord, Personal> => rest;

/** The tenant that a record names; undefined: it cannot be read, and is of whoever finds it. */
export const tenantIn = ({ id, text }: Waiting): string | undefined => {
  try {
    const record = trailRecordIn(id, text);
    return isNote(record) ? record.tenant : undefined;
  } catch {
    // No JSON at all.
    return undefined;
  }
};

const inItsPlace = ({ id }: Waiting, note: Pick<TrailNote, 'tenant' | 'action' | 'after'>): TrailRecord =>
  trailRecordIn(id, JSON.stringify({ ...note, actor: SYSTEM, subject: {} }));

/** What cannot be read is sealed as it is, what names another tenant by its hash: a trail neither loses a record nor stops at one. */
export const recordIn = (tenant: string, waiting: Waiting): TrailRecord => {
  const { text } = waiting;
  const record = read(waiting);
  if (!record) return inItsPlace(waiting, { tenant, action: 'trail.unreadable', after: { text } });
  if (record.tenant === tenant) return record;
  return inItsPlace(waiting, { tenant, action: 'trail.foreign', after: { sha256: hash('sha256', text) } });
};

export interface Locking {
  readonly about: SubjectKey;
  readonly from: SubjectKey;
  /** As many random bytes. */
  readonly nonce: () => Buffer;
}

const boxed = (content: object, key: SubjectKey, nonce: () => Buffer): Box | undefined =>
  Object.values(content).every((value) => value === undefined) ? undefined : lock(content, key, nonce());

export const sealRecord = (
  seq: number,
  record: TrailRecord,
  { about, from, nonce }: Locking,
): SealedRecord => {
  const { before, after, ip, ua } = record;
  const locked = { about: boxed({ before, after }, about, nonce), from: boxed({ ip, ua }, from, nonce) };
  return {
    ...clear(record),
    seq,
    ...(locked.about ? { about: locked.about } : {}),
    ...(locked.from ? { from: locked.from } : {}),
  };
};

/** The link that follows `head`. */
export const link = (head: Head, record: SealedRecord): Link => {
  const text = canonicalOf(record);
  if (text === undefined) throw new Error(`Record ${record.seq} has no canonical form.`);
  return { seq: record.seq, text, hash: linkHash(head.hash, text) };
};
