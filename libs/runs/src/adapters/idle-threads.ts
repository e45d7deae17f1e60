/** Forgets threads that were idle for long: whole, in one step of the store, and only while nothing holds them. */
import { storeCall, timeToMs } from '@triptych/platform';
import { asThreadId } from '@triptych/protocol';
import type { ThreadId } from '@triptych/protocol';
import type { Redis } from 'ioredis';
import type { Guard } from '../core/ports.js';
import type { ThreadRecord } from '../core/run-record.js';
import { broughtKey } from './brought-book.js';
import { findingsKey } from './findings.js';
import { refusedKey } from './refused-events.js';
import { IDLE_INDEX, keysOf, threadsIndex } from './run-keys.js';
import { idleMember, indexThread, namedBy, type IdleName } from './thread-index.js';
import { loadThread, type Loaded } from './thread-reader.js';

export interface LogToForget {
  /** True: the log is gone, and the keys with it; false: a guard no longer holds, and all is as it was. */
  forget(request: {
    readonly thread: ThreadId;
    readonly guards: readonly Guard[];
    readonly keys: readonly string[];
  }): Promise<boolean>;
}

export interface IdleDeps {
  readonly redis: Redis;
  readonly log: LogToForget;
  /** What others keep of a thread in its slot. */
  readonly othersKeys: (thread: ThreadId) => Promise<readonly string[]>;
}

/** Threads looked at in one round. */
const AT_ONCE = 50;
/** A thread that something holds is looked at again so much later, ms. */
const LOOK_AGAIN_MS = 3_600_000;

const isHeld = ({ run }: Loaded): boolean => Boolean(run.id) || Boolean(run.batch);

export class IdleThreads {
  constructor(private readonly deps: IdleDeps) {}

  /** Answers how many are forgotten that nothing happened to for so long. */
  async forget(idleMs: number): Promise<number> {
    const { redis } = this.deps;
    const now = timeToMs(await storeCall(redis.time()));
    const due = await storeCall(redis.zrangebyscore(IDLE_INDEX, '-inf', now - idleMs, 'LIMIT', 0, AT_ONCE));
    let forgotten = 0;
    for (const member of due) if (await this.look(namedBy(member), idleMs)) forgotten += 1;
    return forgotten;
  }

  private async look(name: IdleName, idleMs: number): Promise<boolean> {
    const loaded = await loadThread(this.deps.redis, asThreadId(name.threadId));
    const { thread, now } = loaded;
    // Forgotten before, and only the lists were not told.
    if (!thread) return this.unlist(name).then(() => false);
    const again = Math.max(thread.updatedAt, isHeld(loaded) ? now - idleMs + LOOK_AGAIN_MS : 0);
    if (again > now - idleMs) {
      await storeCall(this.deps.redis.zadd(IDLE_INDEX, again, idleMember(thread)));
      return false;
    }
    if (!(await this.forgetNow(thread))) return false;
    await this.unlist(name);
    return true;
  }

  private async forgetNow({ threadId, updatedAt }: ThreadRecord): Promise<boolean> {
    const { thread, run, ...rest } = keysOf(threadId);
    const guards = [
      { key: thread, field: 'updatedAt', equals: String(updatedAt) },
      { key: run, field: 'id', equals: '' },
      { key: run, field: 'batch', equals: '' },
    ];
    const others = await this.deps.othersKeys(threadId);
    const keys = [
      thread,
      run,
      ...Object.values(rest),
      refusedKey(threadId),
      findingsKey(threadId),
      broughtKey(threadId),
      ...others,
    ];
    return this.deps.log.forget({ thread: threadId, guards, keys });
  }

  /** Last of all: what is still in the index is looked at again. */
  private async unlist({ tenant, owner, threadId }: IdleName): Promise<void> {
    const { redis } = this.deps;
    await storeCall(redis.zrem(threadsIndex(tenant), threadId));
    await storeCall(redis.zrem(threadsIndex(tenant, owner), threadId));
    await storeCall(redis.zrem(IDLE_INDEX, idleMember({ tenant, owner, threadId })));
    // Whoever began it anew meanwhile had it listed before.
    const { thread } = await loadThread(redis, asThreadId(threadId));
    if (thread) await indexThread(redis, thread);
  }
}
