/** Keeps in Redis, beside a thread's lease, what its agent has pushed and until when its run may go on. */
import type { Redis } from 'ioredis';
import { storeCall, tenantChannel, tenantNewsText, timeToMs } from '@triptych/platform';
import { asThreadId, type RunErrorCode, type ThreadId } from '@triptych/protocol';
import type { Guard, Rider } from '../core/ports.js';
import { POSITIONS, type KnownProducer, type PushItem } from '../core/push-batch.js';
import type { PushHold } from '../core/push-hold.js';
import type { Order } from '../core/push-positions.js';
import type {
  ActiveRun,
  AgentNews,
  HeldPush,
  PushMark,
  PushNow,
  PushOrder,
  PushStore,
} from '../core/push-store.js';
import { orderRiders, readHeld, readWaiting } from './push-waiting.js';
import { keysOf } from './run-keys.js';
import { loadThread } from './thread-reader.js';

/** Score: when to look at the thread again (ms); member: threadId. Written ahead of the run, so a member may dangle. */
const DUE_INDEX = 'tt:pushed';
/** A deadline may come nearer without anyone telling the index, so no look is further away than this, ms. */
const LOOK_MS = 4_000;
/** Producers a thread remembers once it forgets some; each is a process of its agent. */
const KEPT_PRODUCERS = 200;

/** Offers told to a socket that comes. */
const MAX_OFFERS = 100;
/** Score: when the offer lapses (ms); member: [threadId, runId]. */
const offersKey = (tenant: string, agentId: string): string =>
  `tt:offers:${JSON.stringify([tenant, agentId])}`;

const HOLD = ['run', 'due', 'why', 'ends', 'socket', 'until'] as const;

type Fields = Readonly<Record<string, string | null | undefined>>;

const holdFrom = ({ run, due, why, ends, socket, until }: Fields): PushHold | undefined =>
  run
    ? {
        run,
        due: Number(due),
        why: why as RunErrorCode,
        ends: Number(ends),
        ...(socket ? { socket: { id: socket, until: Number(until) } } : {}),
      }
    : undefined;

/** '' in `socket` says that none vouches. */
const holdFields = ({ socket, ...times }: Partial<PushHold>): string[] => [
  ...Object.entries(times).flatMap(([field, value]) => [field, String(value)]),
  ...(socket ? ['socket', socket.id, 'until', String(socket.until)] : ['socket', '']),
];

const activeFrom = (run: Fields, hold: PushHold | undefined): ActiveRun | undefined =>
  run.id
    ? {
        runId: run.id,
        term: Number(run.term),
        started: run.started === '1',
        sent: run.sent === '1',
        cancelled: run.cancel === '1',
        warned: Number(run.warned ?? 0),
        ...(run.pushed === '1' && hold?.run === run.id ? { hold } : {}),
      }
    : undefined;

const told = (ask: 'offer' | 'cancel', { tenant, agentId, thread, runId }: AgentNews): Rider => [
  'PUBLISH',
  tenantChannel(tenant),
  tenantNewsText({ kind: 'agent', ask, agentId, threadId: thread, runId }),
];

export class RedisPushStore implements PushStore {
  constructor(private readonly redis: Redis) {}

  async read(threadId: ThreadId, producerId: string): Promise<PushNow> {
    const { push } = keysOf(threadId);
    const asked = ['v', 'residue', ...HOLD, `p:${producerId}`];
    const [{ now, thread, run }, kept, producers] = await Promise.all([
      loadThread(this.redis, threadId),
      storeCall(this.redis.hmget(push, ...asked)),
      storeCall(this.redis.hlen(push)),
    ]);
    const fields: Fields = Object.fromEntries(asked.map((field, nth) => [field, kept[nth]]));
    const active = activeFrom(run, holdFrom(fields));
    const producer = fields[`p:${producerId}`];
    return {
      now,
      version: fields.v ?? '',
      residue: fields.residue ?? '',
      producers,
      begun: Number(run.begun ?? 0),
      ...(thread ? { thread } : {}),
      ...(active ? { active } : {}),
      ...(producer ? { producer: JSON.parse(producer) as KnownProducer } : {}),
    };
  }

  waitingIn(thread: ThreadId): Promise<Omit<Order, 'next'>> {
    return readWaiting(this.redis, thread);
  }

  heldItems(thread: ThreadId, positions: readonly number[]): Promise<readonly (PushItem | undefined)[]> {
    return readHeld(this.redis, thread, positions);
  }

  async orderOf(thread: ThreadId): Promise<PushOrder | undefined> {
    const order = await storeCall(this.redis.hget(keysOf(thread).push, 'order'));
    return order ? (JSON.parse(order) as PushOrder) : undefined;
  }

  versionGuard(thread: ThreadId, version: string): Guard {
    return { key: keysOf(thread).push, field: 'v', equals: version };
  }

  holdGuards(thread: ThreadId, { runId, term, cancelled, hold }: HeldPush): readonly Guard[] {
    const { run, push } = keysOf(thread);
    return [
      { key: run, field: 'id', equals: runId },
      { key: run, field: 'term', equals: String(term) },
      this.cancelGuard(thread, cancelled),
      { key: push, field: 'due', equals: String(hold.due) },
      { key: push, field: 'ends', equals: String(hold.ends) },
      { key: push, field: 'socket', equals: hold.socket?.id ?? '' },
      ...(hold.socket ? [{ key: push, field: 'until', equals: String(hold.socket.until) }] : []),
    ];
  }

  cancelGuard(thread: ThreadId, cancelled: boolean): Guard {
    return { key: keysOf(thread).run, field: 'cancel', equals: cancelled ? '1' : '' };
  }

  markRiders(thread: ThreadId, { version, residue, producer, hold, order }: PushMark): readonly Rider[] {
    const fields = [
      'v',
      version,
      ...(residue === undefined ? [] : ['residue', residue]),
      ...(producer ? [`p:${producer.id}`, JSON.stringify(producer.known)] : []),
      ...(hold ? holdFields(hold) : []),
    ];
    return [['HSET', keysOf(thread).push, ...fields], ...(order ? orderRiders(thread, order) : [])];
  }

  admissionRiders(hold: PushHold, news: AgentNews, order?: PushOrder): readonly Rider[] {
    const { push, run } = keysOf(news.thread);
    const kept = order ? ['order', JSON.stringify(order)] : [];
    return [
      ['HDEL', push, 'order'],
      ['HSET', push, ...holdFields(hold), ...kept],
      ['HSET', run, 'pushed', '1'],
      ...(order ? [told('offer', news)] : []),
    ];
  }

  cancelRiders(news: AgentNews, { due, why }: Pick<PushHold, 'due' | 'why'>): readonly Rider[] {
    return [['HSET', keysOf(news.thread).push, 'due', String(due), 'why', why], told('cancel', news)];
  }

  takenRiders(thread: ThreadId, hold: Partial<PushHold>): readonly Rider[] {
    const { push, run } = keysOf(thread);
    return [
      ['HSET', push, ...holdFields(hold)],
      ['HSET', run, 'sent', '1'],
    ];
  }

  prolongRiders(thread: ThreadId, times: Partial<Omit<PushHold, 'socket'>>): readonly Rider[] {
    const fields = Object.entries(times).flatMap(([field, value]) => [field, String(value)]);
    return [['HSET', keysOf(thread).push, ...fields]];
  }

  vouchRiders(thread: ThreadId, until: number): readonly Rider[] {
    return [['HSET', keysOf(thread).push, 'until', String(until)]];
  }

  async now(): Promise<number> {
    return timeToMs(await storeCall(this.redis.time()));
  }

  async noteOffer({ tenant, agentId, thread, runId }: AgentNews, due: number): Promise<void> {
    const key = offersKey(tenant, agentId);
    const now = await this.now();
    await storeCall(this.redis.zremrangebyscore(key, '-inf', now));
    await storeCall(this.redis.zadd(key, due, JSON.stringify([thread, runId])));
  }

  async offersTo(tenant: string, agentId: string): Promise<readonly Pick<AgentNews, 'thread' | 'runId'>[]> {
    const open = [await this.now(), '+inf', 'LIMIT', 0, MAX_OFFERS] as const;
    const offers = await storeCall(this.redis.zrangebyscore(offersKey(tenant, agentId), ...open));
    return offers.map((offer) => {
      const [thread, runId] = JSON.parse(offer) as [string, string];
      return { thread: asThreadId(thread), runId };
    });
  }

  async watch(thread: ThreadId): Promise<void> {
    await this.lookAgain(thread, Number.POSITIVE_INFINITY);
  }

  async due(limit: number): Promise<readonly ThreadId[]> {
    const members = await storeCall(
      this.redis.zrangebyscore(DUE_INDEX, '-inf', await this.now(), 'LIMIT', 0, limit),
    );
    return members.map(asThreadId);
  }

  async lookAgain(thread: ThreadId, at: number | undefined): Promise<void> {
    if (at === undefined) await storeCall(this.redis.zrem(DUE_INDEX, thread));
    else {
      const latest = (await this.now()) + LOOK_MS;
      await storeCall(this.redis.zadd(DUE_INDEX, Math.min(at, latest), thread));
    }
  }

  async forgetProducers(thread: ThreadId): Promise<readonly Rider[]> {
    const { push } = keysOf(thread);
    const kept = Object.entries(await storeCall(this.redis.hgetall(push)))
      .filter(([field]) => field.startsWith('p:') && field !== `p:${POSITIONS}`)
      .map(([field, json]) => ({ field, at: (JSON.parse(json) as KnownProducer).at }))
      .toSorted((a, b) => b.at - a.at);
    const forgotten = kept.slice(KEPT_PRODUCERS).map(({ field }) => field);
    return forgotten.length === 0 ? [] : [['HDEL', push, ...forgotten]];
  }
}
