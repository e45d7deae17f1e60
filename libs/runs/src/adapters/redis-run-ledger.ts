/** Keeps the run ledger in Redis: reads by itself, writes through the log's one script. */
import type { Redis } from 'ioredis';
import { storeCall, timeToMs } from '@triptych/platform';
import { asThreadId } from '@triptych/protocol';
import type { ThreadId } from '@triptych/protocol';
import { judgeAdmission } from '../core/judge-admission.js';
import type {
  AdmitRequest,
  Admission,
  LostRun,
  Prepared,
  Renewal,
  RunLedger,
  ThreadPage,
  ThreadQuery,
} from '../core/ledger.js';
import type { LogToWrite, Rider } from '../core/ports.js';
import type { Lease, RunRecord, ThreadRecord } from '../core/run-record.js';
import { admissionRiders, leaseGuards, leaseWrites, newThreadRiders } from './lease-writes.js';
import { keysOf, LIVE_INDEX, threadsIndex } from './run-keys.js';
import { cursorOf, indexThread, placesAfter } from './thread-index.js';
import { loadThread, type Loaded } from './thread-reader.js';

/** A carrier silent for this long has lost its run. Four missed renewals: a long garbage collection is survived. */
export const LEASE_MS = 4_000;
/** How often an admission is judged again when the thread changed meanwhile; more means a storm, and the caller retries. */
const MAX_ADMISSION_TRIES = 5;

/** More people than this do not give one run more time at one moment. */
const MAX_EXTEND_TRIES = 20;

interface Mark {
  readonly field: 'cancel' | 'extra';
  readonly value: string;
  /** What it must be still; absent: anything. */
  readonly was?: string;
}

interface Deps {
  readonly redis: Redis;
  readonly log: LogToWrite;
}

/** The store's time, so that it is readable, but never the same twice. */
const nextTerm = ({ now, run }: Loaded): number => Math.max(now, Number(run.term ?? 0) + 1);

export class RedisRunLedger implements RunLedger {
  readonly writes = leaseWrites;

  constructor(private readonly deps: Deps) {}

  async admit(request: AdmitRequest): Promise<Admission> {
    for (let tries = 0; tries < MAX_ADMISSION_TRIES; tries += 1) {
      const prepared = await this.prepare(request);
      if (prepared.status !== 'free') return prepared;
      const { admitted, guards, riders } = prepared;
      const reply = await this.deps.log.append({ thread: request.thread, events: [], guards, riders });
      if (reply.status !== 'guarded') return { status: 'admitted', ...admitted };
    }
    return { status: 'guarded' };
  }

  async prepare(request: AdmitRequest): ReturnType<RunLedger['prepare']> {
    const loaded = await loadThread(this.deps.redis, request.thread, request.record.runId);
    const { run, ...rest } = loaded;
    const now = { ...rest, activeRunId: run.id ?? '', openBatch: run.batch ?? '' };
    const verdict = judgeAdmission(now, request);
    return verdict.status === 'free' ? this.partsOf(request, loaded) : verdict;
  }

  async renew(lease: Lease): Promise<Renewal> {
    const { now, run } = await loadThread(this.deps.redis, lease.thread);
    if (run.id !== lease.runId || run.term !== String(lease.term)) return { is: 'lost' };
    await storeCall(this.deps.redis.zadd(LIVE_INDEX, now + LEASE_MS, lease.thread));
    if (!(await this.touch(lease, 'until', String(now + LEASE_MS)))) return { is: 'lost' };
    return { is: run.cancel === '1' ? 'cancel' : 'kept', extraMs: Number(run.extra ?? 0) };
  }

  async markSent(lease: Lease, riders: readonly Rider[] = []): Promise<boolean> {
    const { run } = keysOf(lease.thread);
    const unsent = { key: run, field: 'sent', equals: '' };
    const reply = await this.deps.log.append({
      thread: lease.thread,
      events: [],
      guards: [...leaseGuards(lease), unsent],
      riders: [['HSET', run, 'sent', '1'], ...riders],
    });
    return reply.status !== 'guarded' || this.hasMarked(lease);
  }

  /** Whoever did not hear that it was written asks again; nobody else can have written it in this term. */
  private async hasMarked({ thread, runId, term }: Lease): Promise<boolean> {
    const { run } = await loadThread(this.deps.redis, thread);
    return run.id === runId && run.term === String(term) && run.sent === '1';
  }

  requestCancel(thread: ThreadId, runId: string): Promise<boolean> {
    return this.mark(thread, runId, { field: 'cancel', value: '1' });
  }

  async extend(thread: ThreadId, runId: string, ms: number): Promise<boolean> {
    for (let tries = 0; tries < MAX_EXTEND_TRIES; tries += 1) {
      const { run } = await loadThread(this.deps.redis, thread);
      if (run.id !== runId) return false;
      const { extra = '' } = run;
      const value = String(Number(extra) + ms);
      if (await this.mark(thread, runId, { field: 'extra', value, was: extra })) return true;
    }
    return false;
  }

  async takeLost(limit: number): Promise<readonly LostRun[]> {
    const now = timeToMs(await storeCall(this.deps.redis.time()));
    const silent = await storeCall(this.deps.redis.zrangebyscore(LIVE_INDEX, '-inf', now, 'LIMIT', 0, limit));
    const taken = await Promise.all(silent.map((threadId) => this.takeOver(asThreadId(threadId))));
    return taken.filter((lost) => lost !== undefined);
  }

  async thread(thread: ThreadId): Promise<ThreadRecord | undefined> {
    return (await loadThread(this.deps.redis, thread)).thread;
  }

  async run(thread: ThreadId, runId: string): Promise<RunRecord | undefined> {
    return (await loadThread(this.deps.redis, thread, runId)).record;
  }

  async createThread(asked: Omit<ThreadRecord, 'status' | 'createdAt' | 'updatedAt'>): Promise<ThreadRecord> {
    const { now, thread } = await loadThread(this.deps.redis, asked.threadId);
    if (thread) return thread;
    const fresh: ThreadRecord = { ...asked, status: 'idle', createdAt: now, updatedAt: now };
    await indexThread(this.deps.redis, fresh);
    const guards = [{ key: keysOf(asked.threadId).thread, field: 'threadId', equals: '' }];
    await this.deps.log.append({
      thread: asked.threadId,
      events: [],
      guards,
      riders: newThreadRiders(fresh),
    });
    return (await this.thread(asked.threadId)) ?? fresh;
  }

  async threads({ tenant, owner, cursor, limit }: ThreadQuery): Promise<ThreadPage> {
    const places = await placesAfter(this.deps.redis, threadsIndex(tenant, owner), { cursor, limit });
    const loaded = await Promise.all(places.map(({ member }) => this.thread(asThreadId(member))));
    const items = loaded.filter((thread) => thread !== undefined);
    const last = places.at(-1);
    return last && places.length === limit ? { items, next: cursorOf(last) } : { items };
  }

  /** False: another run is active, or somebody else has written it meanwhile. */
  private async mark(thread: ThreadId, runId: string, { field, value, was }: Mark): Promise<boolean> {
    const { run: key } = keysOf(thread);
    const guards = [
      { key, field: 'id', equals: runId },
      ...(was === undefined ? [] : [{ key, field, equals: was }]),
    ];
    const riders: Rider[] = [['HSET', key, field, value]];
    const reply = await this.deps.log.append({ thread, events: [], guards, riders });
    return reply.status !== 'guarded';
  }

  /** Indexes are written ahead: a member that leads nowhere is harmless, a run nobody can find is not. */
  private async partsOf(request: AdmitRequest, loaded: Loaded): Promise<Prepared> {
    const { now, thread: known } = loaded;
    const { thread: threadId, tenant, owner, agentId, record: asked } = request;
    const lease: Lease = { thread: threadId, runId: asked.runId, term: nextTerm(loaded) };
    const { head } = await this.deps.log.read(threadId, Number.MAX_SAFE_INTEGER, 1);
    const { record: former } = loaded;
    const record: RunRecord = { ...asked, status: 'running', startedAt: now, after: former?.after ?? head };
    const base = known ?? { threadId, tenant, owner, agentId, createdAt: now };
    const thread: ThreadRecord = { ...base, status: 'running', updatedAt: now, activeRunId: asked.runId };
    const until = now + LEASE_MS;
    await storeCall(this.deps.redis.zadd(LIVE_INDEX, until, threadId));
    await indexThread(this.deps.redis, thread);
    const keys = keysOf(threadId);
    const guards = [
      { key: keys.thread, field: 'threadId', equals: known ? threadId : '' },
      { key: keys.run, field: 'id', equals: '' },
      { key: keys.run, field: 'batch', equals: request.resumes ?? '' },
      { key: keys.runs, field: asked.runId, equals: former ? JSON.stringify(former) : '' },
      ...(request.guards ?? []),
    ];
    const riders = [...admissionRiders(lease, thread, { record, until }), ...(request.riders ?? [])];
    return { status: 'free', admitted: { lease, thread, record }, guards, riders };
  }

  private async touch(lease: Lease, ...fields: string[]): Promise<boolean> {
    const riders = [['HSET', keysOf(lease.thread).run, ...fields] as const];
    const reply = await this.deps.log.append({
      thread: lease.thread,
      events: [],
      guards: leaseGuards(lease),
      riders,
    });
    return reply.status !== 'guarded';
  }

  /** RUN-61: only what nobody has renewed, sent or begun since it was read. */
  private async takeAs(read: Loaded['run'], silent: Lease, fields: readonly string[]): Promise<boolean> {
    const { run } = keysOf(silent.thread);
    const still = (['until', 'sent', 'started'] as const).map((field) => ({
      ...{ key: run, field },
      equals: read[field] ?? '',
    }));
    const reply = await this.deps.log.append({
      thread: silent.thread,
      events: [],
      guards: [...leaseGuards(silent), ...still],
      riders: [['HSET', run, ...fields]],
    });
    return reply.status !== 'guarded';
  }

  private async takeOver(threadId: ThreadId): Promise<LostRun | undefined> {
    const loaded = await loadThread(this.deps.redis, threadId);
    const { now, thread } = loaded;
    const { id, term, until, sent, started, pushed } = loaded.run;
    // A pushed run has no carrier that could go silent; its own times are kept elsewhere.
    if (!id || !term || !thread || pushed) {
      await storeCall(this.deps.redis.zrem(LIVE_INDEX, threadId));
      return undefined;
    }
    if (Number(until) > now) return undefined;
    const silent: Lease = { thread: threadId, runId: id, term: Number(term) };
    const lease: Lease = { ...silent, term: nextTerm(loaded) };
    const end = String(now + LEASE_MS);
    if (!(await this.takeAs(loaded.run, silent, ['term', String(lease.term), 'until', end])))
      return undefined;
    await storeCall(this.deps.redis.zadd(LIVE_INDEX, end, threadId));
    const record = await this.run(threadId, id);
    return record ? { lease, thread, record, started: started === '1', sent: sent === '1' } : undefined;
  }
}
