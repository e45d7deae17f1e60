/** Which records of a trail are asked for. */
import { isHole, type Hole } from './hole.js';
import type { SealedRecord } from './sealed-record.js';

export interface TrailQuery {
  /** Unix milliseconds, both included. */
  readonly from?: number;
  readonly to?: number;
  readonly actor?: string;
  readonly action?: string;
  readonly thread?: string;
  readonly task?: string;
}

/** AUD-32: what may have been a record that matches is not left out. */
const mayMatch = ({ from = 0, to = Infinity }: TrailQuery, { at }: Hole): boolean =>
  at === undefined || (at >= from && at <= to);

export const matches = (query: TrailQuery, found: SealedRecord | Hole): boolean =>
  isHole(found) ? mayMatch(query, found) : isMeant(query, found);

const isMeant = ({ from = 0, to = Infinity, ...named }: TrailQuery, record: SealedRecord): boolean =>
  record.at >= from &&
  record.at <= to &&
  (named.actor ?? record.actor.id) === record.actor.id &&
  (named.action ?? record.action) === record.action &&
  (named.thread ?? record.subject.thread) === record.subject.thread &&
  (named.task ?? record.subject.task) === record.subject.task;

/** What must stand in the text of a record that matches: looked for first, because parsing costs ten times as much. */
export const wordsOf = ({ actor, action, thread, task }: TrailQuery): readonly string[] =>
  [actor, action, thread, task].filter((word) => word !== undefined).map((word) => JSON.stringify(word));
