/** Stops the runs that nobody reads, where their agent wants it: hubs tell each other in Redis which of those threads have readers. */
import { Inject, Injectable } from '@nestjs/common';
import { LEDGER, RUNS } from '@triptych/assembly/nest';
import { storeCall, threadKey } from '@triptych/platform';
import { REDIS } from '@triptych/platform/nest';
import { asThreadId, isStoreAway, type ThreadId } from '@triptych/protocol';
import type { RunLedger, Runs } from '@triptych/runs';
import type { Redis } from 'ioredis';
import { SESSION_TOOLS, type SessionTools } from '../rooms/session-tools.js';

/** Looks in a row, one with each pulse (1 s), that must find nobody: a page that is loaded anew is back before. */
const EMPTY_LOOKS = 5;
/** What a hub says of its readers is void after this, ms: three pulses. */
const SAID_MS = 3_000;
/** Threads of which it must be known whether they are read; score: when that was asked last, Unix milliseconds. */
const ASKED = 'tt:unread';
/** A hub that died asks no more; its questions are answered for so long, ms. More than clocks differ. */
const ASKED_MS = 60_000;
/** Threads of pushed runs that one hub watches; of more it watches the first. */
const MAX_PUSHED = 1_000;

/** The run that was found at the last look, and the looks in a row that found nobody who reads it. */
interface Watch {
  readonly isCarried: boolean;
  run: string;
  empty: number;
}

const readKey = (thread: string): string => threadKey(thread, 'read');

@Injectable()
export class UnreadRuns {
  private readonly watched = new Map<ThreadId, Watch>();
  private looking = false;

  constructor(
    @Inject(SESSION_TOOLS) private readonly tools: SessionTools,
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(LEDGER) private readonly ledger: RunLedger,
    @Inject(RUNS) private readonly runs: Runs,
  ) {
    tools.pulse.add((now) => void this.pulse(now));
  }

  /** Until `read` settles a run of this thread is carried here, and wants a reader. */
  watch(thread: ThreadId, read: Promise<unknown>): void {
    this.watched.set(thread, { isCarried: true, run: '', empty: 0 });
    const stop = (): void => void this.watched.delete(thread);
    read.then(stop, stop);
  }

  /** Its agent comes by itself, and was here a moment ago: as long as it has a run, that wants a reader. */
  watchPushed(thread: ThreadId): void {
    if (this.watched.has(thread) || this.watched.size >= MAX_PUSHED) return;
    this.watched.set(thread, { isCarried: false, run: '', empty: 0 });
  }

  private async pulse(now: number): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    try {
      await this.ask(now);
      await this.tell(now);
      for (const [thread, watch] of this.watched) await this.look(thread, watch);
    } catch (error) {
      // What was not heard is no proof that nobody is there.
      for (const watch of this.watched.values()) watch.empty = 0;
      if (!isStoreAway(error)) this.tools.report('unread-runs', error);
    } finally {
      this.looking = false;
    }
  }

  private async ask(now: number): Promise<void> {
    if (this.watched.size === 0) return;
    const asked = [...this.watched.keys()].flatMap((thread) => [String(now), thread]);
    await storeCall(this.redis.zadd(ASKED, ...asked));
    await storeCall(this.redis.zremrangebyscore(ASKED, '-inf', now - ASKED_MS));
  }

  private async tell(now: number): Promise<void> {
    const asked = await storeCall(this.redis.zrangebyscore(ASKED, now - ASKED_MS, '+inf'));
    const read = asked.filter((thread) => this.tools.rooms.readersOf(asThreadId(thread)).length > 0);
    await Promise.all(read.map((thread) => storeCall(this.redis.set(readKey(thread), '1', 'PX', SAID_MS))));
  }

  private async look(thread: ThreadId, watch: Watch): Promise<void> {
    const run = (await this.ledger.thread(thread))?.activeRunId ?? '';
    if (run === '' && !watch.isCarried) this.watched.delete(thread);
    if (run !== watch.run) Object.assign(watch, { run, empty: 0 });
    if (run === '') return;
    const isRead = (await storeCall(this.redis.exists(readKey(thread)))) === 1;
    watch.empty = isRead ? 0 : watch.empty + 1;
    if (watch.empty >= EMPTY_LOOKS) await this.stop(thread, run);
  }

  /** Not what goes on from an answer: whoever gave it need not look on. */
  private async stop(thread: ThreadId, run: string): Promise<void> {
    const record = await this.ledger.run(thread, run);
    if (record?.resumes === undefined) await this.runs.cancel(thread, run);
  }
}
