/** Runs the scripts that find and keep snapshots of threads. */
import { storeCall } from '@triptych/platform';
import type { ThreadId } from '@triptych/protocol';
import type { Redis } from 'ioredis';
import { keeperKey, metaKey, snapshotsKey, streamKey } from './log-keys.js';
import { source } from './log-scripts.js';

export interface Beginning {
  readonly epoch: string;
  readonly head: number;
  readonly firstSeq: number;
  /** 0: none. */
  readonly seq: number;
  readonly text: string;
  readonly seqs: readonly number[];
}

export interface SnapshotToKeep {
  readonly epoch: string;
  readonly seq: number;
  readonly text: string;
  readonly holder: string;
  readonly trimTo: number;
  readonly drop: readonly number[];
}

export interface SnapshotScripts {
  /** The snapshot to begin at. */
  begin(thread: ThreadId, bounds: { readonly upTo: number; readonly behind: number }): Promise<Beginning>;
  /** The right to make a snapshot, for a while; false: somebody else has it. */
  takeLease(thread: ThreadId, holder: string): Promise<boolean>;
  keep(thread: ThreadId, snapshot: SnapshotToKeep): Promise<'kept' | 'stale'>;
}

/** Longer than reading and telling the largest thread takes. */
const LEASE_MS = 15_000;

type BeginReply = readonly [
  epoch: string,
  head: string,
  firstSeq: string,
  seq: string,
  text: string,
  seqs: readonly string[],
];

interface WithScripts {
  triptychBegin(...keysAndArgs: string[]): Promise<BeginReply>;
  triptychKeep(...keysAndArgs: string[]): Promise<'kept' | 'stale'>;
}

const beginningOf = ([epoch, head, firstSeq, seq, text, seqs]: BeginReply): Beginning => ({
  epoch,
  head: Number(head),
  firstSeq: Number(firstSeq),
  seq: Number(seq),
  text,
  seqs: seqs.map(Number),
});

export const snapshotScripts = (redis: Redis): SnapshotScripts => {
  redis.defineCommand('triptychBegin', { numberOfKeys: 2, lua: source('./begin.lua') });
  redis.defineCommand('triptychKeep', { numberOfKeys: 4, lua: source('./keep.lua') });
  const scripts = redis as unknown as WithScripts;
  return {
    begin: async (thread, { upTo, behind }) => {
      const keys = [metaKey(thread), snapshotsKey(thread)];
      return beginningOf(await storeCall(scripts.triptychBegin(...keys, String(upTo), String(behind))));
    },
    takeLease: async (thread, holder) =>
      (await storeCall(redis.set(keeperKey(thread), holder, 'PX', LEASE_MS, 'NX'))) === 'OK',
    keep: (thread, { epoch, seq, text, holder, trimTo, drop }) => {
      const keys = [metaKey(thread), streamKey(thread), snapshotsKey(thread), keeperKey(thread)];
      const args = [epoch, String(seq), text, holder, String(trimTo), ...drop.map(String)];
      return storeCall(scripts.triptychKeep(...keys, ...args));
    },
  };
};
