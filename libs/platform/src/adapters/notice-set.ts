/** The batches that bridges are to look at: named ahead of every change by whoever makes it, and looked at after. */
import type { Redis } from 'ioredis';
import { DueSet } from './due-set.js';

/** Members: batch ids. All tenants share it. */
const NOTICE_INDEX = 'tt:notices';
/** Whoever took a batch looks at it within this; else it is given to the next. Milliseconds. */
const TAKEN_MS = 10_000;

export const noticeSet = (redis: Redis): DueSet =>
  new DueSet(redis, { key: NOTICE_INDEX, takenMs: TAKEN_MS, ahead: true });
