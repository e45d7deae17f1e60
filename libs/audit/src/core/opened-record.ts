/** A sealed record as its readers see it: boxes opened where there still is a key. */
import type { TrailRecord } from '@triptych/protocol';
import { unlock, type Box } from './box.js';
import type { SealedRecord } from './sealed-record.js';

export interface OpenedRecord extends TrailRecord {
  readonly seq: number;
  /** The key of some of its personal data was dropped. */
  readonly erased?: true;
}

/** The secret of a key by its id; undefined: it was dropped. */
export type Secrets = ReadonlyMap<string, Buffer>;

export const boxesOf = ({ about, from }: SealedRecord): readonly Box[] =>
  [about, from].filter((box) => box !== undefined);

export const sealedIn = (text: string): SealedRecord => JSON.parse(text) as SealedRecord;

const opened = (box: Box, secrets: Secrets): object | undefined => {
  const secret = secrets.get(box.key);
  return secret && (unlock(box, secret) as object | undefined);
};

export const openRecord = (sealed: SealedRecord, secrets: Secrets): OpenedRecord => {
  const { about: _about, from: _from, ...clear } = sealed;
  const parts = boxesOf(sealed).map((box) => opened(box, secrets));
  return Object.assign(
    {},
    clear,
    ...parts,
    parts.includes(undefined) ? { erased: true } : {},
  ) as OpenedRecord;
};
