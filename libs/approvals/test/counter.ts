/** Approvals at work on a Redis: several processes' worth of them, and the log whose steps their riders ride on. */
import { randomBytes, randomUUID } from 'node:crypto';
import { Revocations } from '@triptych/access';
import { redisEventLog, type RedisEventLog } from '@triptych/event-log';
import {
  closeRedis,
  connectRedis,
  createLog,
  parseTenantNews,
  TENANT_CHANNELS,
  tenantOfChannel,
  SigningKey,
} from '@triptych/platform';
import { until } from '@triptych/testkit';
import { asThreadId } from '@triptych/protocol';
import type { Redis } from 'ioredis';
import { redisClaimIndex } from '../src/adapters/redis-claim-index.js';
import { RedisApprovalStore } from '../src/adapters/redis-approval-store.js';
import type { ApprovalKnocks, Wake } from '../src/core/approval-knocks.js';
import type { ResumeEnd } from '../src/core/failure-classes.js';
import type { Guard, Rider } from '../src/core/rider.js';
import { Approvals } from '../src/shell/approvals.js';
import type { DispatchPlan } from '../src/shell/dispatches.js';
import type { Swept } from '../src/shell/sweep.js';
import { fresh, interruptedRun, opened, policy, type Asked } from './bank.js';

const log = createLog({ level: 'silent' });

/** Clients of this bank have so long to answer their own tools' calls. */
export const FRONTEND_TTL_MS = 900_000;

export interface Knock {
  readonly kind: 'dispatch' | 'wake';
  readonly id: string;
  /** What falls due then. */
  readonly due?: string;
}

/** Hears the knocks and opens to nobody: what they would have set going is the sweep's to find. */
export class DeafDoor implements ApprovalKnocks {
  readonly heard: Knock[] = [];
  fails = false;

  async dispatch(batchId: string): Promise<void> {
    if (this.fails) throw new Error('the queue is away');
    this.heard.push({ kind: 'dispatch', id: batchId });
  }
  async wakeAt({ id, kind: due }: Wake): Promise<void> {
    this.heard.push({ kind: 'wake', id, due });
  }
}

export interface OpenedRun {
  readonly threadId: string;
  readonly batchId: string;
  readonly taskIds: readonly string[];
}

export class Counter {
  readonly door = new DeafDoor();
  readonly reports: string[] = [];
  readonly signer!: SigningKey;
  /** What was revoked, as far as this process knows. */
  readonly revoked = new Revocations();
  /** What whoever asks who was revoked gets instead of an answer. */
  revocationsFail: Error | undefined;
  /** The policy that this process goes by. */
  inForce = policy;
  readonly ledger: RedisApprovalStore;
  private constructor(
    readonly redis: Redis,
    readonly log: RedisEventLog,
    readonly approvals: Approvals,
    private readonly closers: readonly (() => Promise<void>)[],
  ) {
    this.ledger = new RedisApprovalStore(redis);
  }

  /** One process: connections, log and approvals of its own, in a database where no other suite sweeps. */
  static async start(database: number): Promise<Counter> {
    const url = `${process.env['REDIS_URL']}/${database}`;
    const redis = await connectRedis(url, 'commands', { log });
    const subscriber = await connectRedis(url, 'subscriber', { log });
    const events = redisEventLog({ redis, subscriber, newEpoch: () => randomBytes(4).toString('hex'), log });
    const closers = [async () => events.close(), () => closeRedis(redis), () => closeRedis(subscriber)];
    const door = new DeafDoor();
    const reports: string[] = [];
    const signer = await SigningKey.open(redis);
    const approvals = new Approvals({
      store: new RedisApprovalStore(redis),
      claims: redisClaimIndex(redis),
      policy: () => counter.inForce,
      standing: async () => {
        if (counter.revocationsFail) throw counter.revocationsFail;
        return (actor) => counter.revoked.judge(actor);
      },
      newId: randomUUID,
      signer,
      frontendTtlMs: FRONTEND_TTL_MS,
      knocks: door,
      report: (event) => reports.push(event),
    });
    const counter: Counter = new Counter(redis, events, approvals, closers);
    return Object.assign(counter, { door, reports, signer });
  }

  /** From now on it hears of every change, as a hub does; `stop` cuts the line. */
  async follow(): Promise<{ stop(): Promise<void> }> {
    const line = await connectRedis(`${process.env['REDIS_URL']}/0`, 'subscriber', { log });
    line.on('pmessage', (_pattern, channel, text) => {
      const news = parseTenantNews(text);
      if (news?.kind === 'task') this.approvals.heard(tenantOfChannel(channel), news.taskId);
    });
    await line.psubscribe(TENANT_CHANNELS);
    this.approvals.follow(async () => void (await line.ping()));
    const stop = async (): Promise<void> => {
      this.approvals.follow(undefined);
      await closeRedis(line);
    };
    return { stop };
  }

  /** The step that stores the run's end, as a run's carrier makes it; with `now`, as it was made then. */
  async open(asked: Asked): Promise<OpenedRun> {
    const threadId = asked.threadId ?? fresh('thread');
    if (asked.now !== undefined) return this.openedAt({ ...asked, threadId });
    const opening = await this.approvals.openingFor(interruptedRun({ ...asked, threadId }));
    await opening.ahead();
    await this.store(threadId, { riders: opening.riders });
    return { threadId, batchId: opening.batchId, taskIds: opening.taskIds };
  }

  private async openedAt(asked: Asked & { readonly threadId: string }): Promise<OpenedRun> {
    const batch = opened(asked);
    await this.ledger.announce(batch);
    await this.store(asked.threadId, { riders: this.ledger.openingRiders(batch) });
    const { threadId, batchId, taskIds } = batch.facts;
    return { threadId, batchId, taskIds };
  }

  /** True: guards held and the riders are stored. */
  async store(
    threadId: string,
    step: { readonly guards?: readonly Guard[]; readonly riders: readonly Rider[] },
  ): Promise<boolean> {
    const reply = await this.log.append({ thread: asThreadId(threadId), events: [], ...step });
    return reply.status === 'stored';
  }

  /** Until the store's clock has gone on by so much. Milliseconds. */
  async wait(ms: number): Promise<void> {
    const begun = await this.ledger.now();
    await until(async () => (await this.ledger.now()) >= begun + ms);
  }

  /** All that is due, page by page, as a worker's round goes about it. */
  async sweepAll(): Promise<Swept> {
    let all = await this.approvals.sweep();
    for (let last = all; last.more;) {
      last = await this.approvals.sweep();
      all = { ready: [...all.ready, ...last.ready], expired: [...all.expired, ...last.expired], more: false };
    }
    return all;
  }

  /** The step that admits the resume, as its carrier makes it. */
  async dispatch({ batchId, threadId }: OpenedRun): Promise<DispatchPlan> {
    const plan = await this.approvals.planDispatch(batchId);
    if (!plan || !(await this.store(threadId, plan))) throw new Error('not dispatched');
    return plan;
  }

  /** The step that stores the resumed run's end; with `asks`, that run ended in questions of its own. */
  async end({ batchId, threadId }: OpenedRun, end: Partial<ResumeEnd>, asks?: Asked): Promise<OpenedRun> {
    const whole = { batchId, outcome: 'success', sent: true, idempotent: false, ...end } as const;
    const riders = await this.approvals.settlementFor(asks ? { ...whole, outcome: 'interrupt' } : whole);
    const opening = asks && (await this.approvals.openingFor(interruptedRun({ ...asks, threadId })));
    await opening?.ahead();
    await this.store(threadId, { riders: [...riders, ...(opening?.riders ?? [])] });
    return { threadId, batchId: opening?.batchId ?? batchId, taskIds: opening?.taskIds ?? [] };
  }

  async close(): Promise<void> {
    for (const close of this.closers) await close();
  }
}

/** So many processes in one database that begins empty, for as long as the suite lasts. */
export const countersOn = (database: number, count: number) => {
  const all: Counter[] = [];
  /** Counted from 0 and round again. */
  const at = (nth: number): Counter => {
    const counter = all[nth % count];
    if (!counter) throw new Error('no counter');
    return counter;
  };
  beforeAll(async () => {
    while (all.length < count) all.push(await Counter.start(database));
    await at(0).redis.flushdb();
  });
  afterAll(async () => {
    for (const counter of all) await counter.close();
  });
  return { all: all as readonly Counter[], at };
};
