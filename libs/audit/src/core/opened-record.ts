/** A sealed record as its readers see it: boxes opened where there still is a key. */
import type { TrailRecord } from '@triptych/protocol';
import { unlock, type Box } from './box.js';
import type { SealedRecord } from './sealed-record.js';

export interface OpenedRecord extends TrailRecord {
  readonly seq: number;
  /** The key of some of its personal data was dropped. */
  readonly erased?: true;
  /** The key is there, and what it locked is not what it was. */
  readonly damaged?: true;
}

/** The secret of a key by its id; undefined: it was dropped. */
export type Secrets = ReadonlyMap<string, Buffer>;

export const boxesOf = ({ about, from }: SealedRecord): readonly Box[] =>
  [about, from].filter((box) => box !== undefined);

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;

const isBox = (value: unknown): boolean =>
  value === undefined || (isObject(value) && typeof value.key === 'string' && typeof value.box === 'string');

const isSealed = ({ seq, at, action, actor, subject, about, from }: Members): boolean =>
  Number.isSafeInteger(seq) &&
  typeof at === 'number' &&
  typeof action === 'string' &&
  isObject(actor) &&
  typeof actor.id === 'string' &&
  isObject(subject) &&
  isBox(about) &&
  isBox(from);

/** Canonical JSON is one line. */
const LINE_END = /[\r\n]/u;

/** undefined: this is no sealed record, whoever put it there. */
export const sealedIn = (text: string): SealedRecord | undefined => {
  try {
    const found = JSON.parse(text) as unknown;
    return isObject(found) && isSealed(found) && !LINE_END.test(text)
      ? (found as unknown as SealedRecord)
      : undefined;
  } catch {
    // No JSON at all.
    return undefined;
  }
};

/** What is missing of a box, and why. */
type Lost = 'erased' | 'damaged';

const opened = (box: Box, secrets: Secrets): object | Lost => {
  const secret = secrets.get(box.key);
  if (!secret) return 'erased';
  const content = unlock(box, secret);
  return isObject(content) ? content : 'damaged';
};

export const openRecord = (sealed: SealedRecord, secrets: Secrets): OpenedRecord => {
  const { about: _about, from: _from, ...clear } = sealed;
  const parts = boxesOf(sealed).map((box) => opened(box, secrets));
  return Object.assign(
    {},
    clear,
    ...parts.map((part) => (typeof part === 'string' ? { [part]: true } : part)),
  ) as OpenedRecord;
};
