/** Names the Redis keys and the channel of a thread's log. */
import type { ThreadId } from '@triptych/protocol';
import { threadKey } from '@triptych/platform';

export const metaKey = (thread: ThreadId): string => threadKey(thread, 'meta');
export const streamKey = (thread: ThreadId): string => threadKey(thread, 'log');
export const channelOf = (thread: ThreadId): string => threadKey(thread, 'c');
export const snapshotsKey = (thread: ThreadId): string => threadKey(thread, 'snapshots');
export const keeperKey = (thread: ThreadId): string => threadKey(thread, 'keeper');
