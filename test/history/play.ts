/** Plays one seed under one nemesis, to its end, and hands over everything that was recorded. */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { redisEventLog, type RedisEventLog } from '@triptych/event-log';
import { closeRedis, connectRedis, createLog } from '@triptych/platform';
import { asThreadId, SURFACES, type AguiEvent, type Surface } from '@triptych/protocol';
import { until } from '@triptych/testkit';
import { logDoor, pushDoor, type AppendDoor } from './append-doors.js';
import { BatchProducer } from './batch-producer.js';
import { Chance } from './chance.js';
import { ClientReader } from './client-reader.js';
import type { FinalLog, History, Sent } from './history.js';
import type { Crowd, Nemesis } from './nemeses.js';
import { ENGINE } from './issuer.js';
import { RawReader, STEADY } from './raw-reader.js';
import type { HistoryReader, Seat } from './reader.js';
import { RunProducer } from './run-producer.js';
import type { Stand } from './stand.js';
import type { StoryShape } from './story.js';
import { StreamReader } from './stream-reader.js';

const RUN_THREADS = 2;
const BATCH_THREADS = 1;
const PUSH_THREADS = 1;
const RUNS_A_THREAD = 3;
const PLAIN_READERS = 10;
const CLIENT_READERS = 3;
const STREAM_READERS = 3;
/** After everything was mended a run may have to be mourned, and every reader must come to the end, ms. */
const SETTLE_MS = 40_000;
const PAGE = 1_000;
const ORDINARY: Crowd = { slow: 0, stalled: 1, unruly: 0.2, long: 0.02 };

const quiet = createLog({ level: 'silent' });

export interface Played {
  readonly history: History;
  /** What the checker itself could not bring to an end. */
  readonly problems: readonly string[];
}

export class Play {
  private readonly chance: Chance;
  private readonly crowd: Crowd;
  private readonly threads: Readonly<Record<'runs' | 'batches' | 'pushes', readonly string[]>>;
  private readonly problems: string[] = [];
  private isOver = false;

  constructor(
    private readonly stand: Stand,
    private readonly nemesis: Nemesis,
    seed: string,
  ) {
    this.chance = new Chance(`${seed}/${nemesis.name}`);
    this.crowd = { ...ORDINARY, ...nemesis.crowd };
    // No seed finds what another has left behind.
    const place = randomBytes(4).toString('hex');
    const named = (kind: string, count: number) =>
      Array.from({ length: count }, (_, nth) => `${kind}${nth}-${place}`);
    this.threads = {
      runs: named('run', RUN_THREADS),
      batches: named('batch', BATCH_THREADS),
      pushes: named('push', PUSH_THREADS),
    };
  }

  private get allThreads(): readonly string[] {
    return Object.values(this.threads).flat();
  }

  async play(): Promise<Played> {
    const closers: (() => Promise<void>)[] = [];
    try {
      return await this.playOn(closers);
    } finally {
      for (const close of closers.reverse()) await close();
    }
  }

  private async playOn(closers: (() => Promise<void>)[]): Promise<Played> {
    const log = await this.openLog(closers);
    await this.bindThreads();
    const first = await this.emptyPlaces(closers);
    const readers = this.gather();
    closers.push(async () => void (await Promise.all(readers.map((reader) => reader.stop()))));
    const runs = this.threads.runs.map((id) => new RunProducer(this.stand, id, this.chance.of(id)));
    const batches = this.batchProducers(log);
    const telling = Promise.all(
      [...runs, ...batches].map((each) => each.tell(this.shapes(), () => this.isOver)),
    );
    const { stand, chance } = this;
    await this.nemesis.strike({ stand, chance: chance.of('nemesis'), bindThreads: () => this.bindThreads() });
    await Promise.all(stand.hubs.map((hub) => hub.ready()));
    await this.within('producers', telling);
    this.isOver = true;
    await this.within('batches', Promise.all(batches.map((each) => each.confirm())));
    for (const reader of readers) reader.settle();
    await this.within(
      'runs',
      this.until(() => this.areIdle()),
    );
    const { cold, logs } = await this.finale(log, { readers, first, closers });
    const sent = [...runs, ...batches].flatMap(({ told }) => told);
    this.problems.push(...batches.flatMap(({ faults }) => faults));
    return {
      history: {
        sent: sent.map(({ telling: asked, ...one }): Sent => ({
          ...one,
          asked: asked?.asked ?? 1,
          complete: asked === undefined || (!this.nemesis.endsRuns && asked.asked > 0),
        })),
        books: [...readers, ...cold].flatMap((reader) => reader.books()),
        logs,
        lossy: this.nemesis.lossy === true,
      },
      problems: this.problems,
    };
  }

  private batchProducers(log: RedisEventLog): readonly BatchProducer[] {
    const { hubs, issuer } = this.stand;
    const manners = { unruly: this.crowd.unruly, twin: this.nemesis.lossy !== true };
    const givenUp = (): boolean => this.problems.length > 0;
    const pusher = { hubs, token: issuer.tokens.engine, chance: this.chance.of('push') };
    const by = (door: AppendDoor) => (id: string) =>
      new BatchProducer(door, id, { chance: this.chance.of(id), manners });
    return [
      ...this.threads.batches.map(by(logDoor(log, givenUp))),
      ...this.threads.pushes.map(by(pushDoor(pusher, givenUp))),
    ];
  }

  private async openLog(closers: (() => Promise<void>)[]): Promise<RedisEventLog> {
    const { url } = this.stand.redis;
    const redis = await connectRedis(url, 'commands', { log: quiet });
    const subscriber = await connectRedis(url, 'subscriber', { log: quiet });
    const newEpoch = (): string => randomBytes(4).toString('hex');
    const log = redisEventLog({ redis, subscriber, newEpoch, log: quiet });
    closers.push(async () => {
      log.close();
      await Promise.all([closeRedis(subscriber), closeRedis(redis)]);
    });
    return log;
  }

  private shapes(): readonly StoryShape[] {
    const { long } = this.crowd;
    return Array.from({ length: RUNS_A_THREAD }, () => ({
      length: this.chance.one([8, 40, 100, 200]),
      long,
    }));
  }

  /** First use, as the customer whose threads they are. */
  private async bindThreads(): Promise<void> {
    for (const threadId of this.allThreads)
      await until(async () => {
        const { directUrl } = this.chance.one(this.stand.hubs);
        const response = await fetch(`${directUrl}/v1/threads`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer ${this.stand.issuer.tokens.customer}`,
          },
          body: JSON.stringify({
            threadId,
            agentId: this.threads.pushes.includes(threadId) ? ENGINE : 'story',
          }),
        }).catch(() => undefined);
        return response?.status === 201;
      });
  }

  private seat(name: string, surface: Surface, more: Partial<Seat> = {}): Seat {
    const { stand, allThreads: threads } = this;
    return {
      ...{ name, surface, threads, hubs: stand.hubs, token: stand.issuer.tokens[surface] },
      ...{ chance: this.chance.of(name), ...more },
    };
  }

  private gather(): readonly HistoryReader[] {
    const surfaceOf = (nth: number): Surface => SURFACES[nth % SURFACES.length] as Surface;
    const plain = Array.from({ length: PLAIN_READERS }, (_, nth) => {
      const surface = surfaceOf(nth);
      return new RawReader(this.seat(`socket-${nth}`, surface), {
        restless: nth % 3 !== 2,
        acks: nth % 2 === 0,
        fickle: nth % 4 === 1,
        slow: nth < this.crowd.slow,
        stalls: nth < this.crowd.stalled,
      });
    });
    const clients = Array.from(
      { length: CLIENT_READERS },
      (_, nth) => new ClientReader(this.seat(`client-${nth}`, surfaceOf(nth))),
    );
    const streams = Array.from(
      { length: STREAM_READERS },
      (_, nth) => new StreamReader(this.seat(`stream-${nth}`, surfaceOf(nth))),
    );
    return [...plain, ...clients, ...streams];
  }

  /** Where a surface stands before anything was said: from there everything is replayed. */
  private async emptyPlaces(
    closers: (() => Promise<void>)[],
  ): Promise<Record<Surface, Record<string, string>>> {
    const found = await Promise.all(
      SURFACES.map(async (surface) => {
        const reader = new RawReader(this.seat('first', surface), STEADY);
        closers.push(() => reader.stop());
        await until(() => this.allThreads.every((id) => reader.positionOf(id) !== undefined));
        const places = Object.fromEntries(this.allThreads.map((id) => [id, reader.positionOf(id) ?? '']));
        await reader.stop();
        return [surface, places];
      }),
    );
    return Object.fromEntries(found) as Record<Surface, Record<string, string>>;
  }

  private async areIdle(): Promise<boolean> {
    const { hubs, issuer } = this.stand;
    const headers = { authorization: `Bearer ${issuer.tokens.operator}` };
    const states = await Promise.all(
      this.threads.runs.map(async (id) => {
        const response = await fetch(`${hubs[0]?.directUrl}/v1/threads/${id}`, { headers }).catch(
          () => undefined,
        );
        return response?.ok ? ((await response.json()) as { status: string }).status : 'unknown';
      }),
    );
    await pause(100);
    return states.every((status) => status !== 'running' && status !== 'unknown');
  }

  /** Those who come only now, on every hub and by every door, and the wait for all others to be where they are. */
  private async finale(
    log: RedisEventLog,
    {
      readers,
      first,
      closers,
    }: {
      readers: readonly HistoryReader[];
      first: Record<Surface, Record<string, string>>;
      closers: (() => Promise<void>)[];
    },
  ): Promise<{ cold: readonly HistoryReader[]; logs: readonly FinalLog[] }> {
    const logs = await Promise.all(this.allThreads.map((id) => finalLog(log, id)));
    const cold = SURFACES.flatMap((surface) => [
      ...this.stand.hubs.map(
        (hub) => new RawReader(this.seat(`joined-${hub.name}`, surface, { hubs: [hub], cold: true }), STEADY),
      ),
      new RawReader(this.seat('replayed', surface, { cold: true }), { ...STEADY, from: first[surface] }),
      new StreamReader(this.seat('attached', surface, { cold: true })),
    ]);
    closers.push(async () => void (await Promise.all(cold.map((reader) => reader.stop()))));
    for (const reader of cold) reader.settle();
    const all = [...readers, ...cold];
    await this.within(
      'readers',
      this.until(() => this.standTogether(all, logs)),
    );
    return { cold, logs };
  }

  private standTogether(all: readonly HistoryReader[], logs: readonly FinalLog[]): boolean {
    return SURFACES.every((surface) =>
      logs.every(({ threadId, epoch, head }) => {
        const places = all
          .filter(({ seat }) => seat.surface === surface)
          .map((one) => one.positionOf(threadId));
        if (places.some((place) => place === undefined || place !== places[0])) return false;
        return surface !== 'operator' || places[0] === `${epoch}:${head}`;
      }),
    );
  }

  /** Until it is so, or the play is given up. */
  private until(isSo: () => boolean | Promise<boolean>): Promise<void> {
    return until(() => this.problems.length > 0 || isSo());
  }

  private giveUp(why: string): void {
    this.isOver = true;
    this.problems.push(why);
  }

  private async within(what: string, work: Promise<unknown>): Promise<void> {
    const timer = new AbortController();
    const late = pause(SETTLE_MS, 'late', { signal: timer.signal }).catch(() => 'in time');
    if ((await Promise.race([work, late])) === 'late') this.giveUp(`${what} did not come to their end`);
    timer.abort();
  }
}

const finalLog = async (log: RedisEventLog, id: string): Promise<FinalLog> => {
  const threadId = asThreadId(id);
  const entries: FinalLog['entries'][number][] = [];
  for (let after = 0; ;) {
    const page = await log.read(threadId, after, PAGE);
    for (const { seq, source, event, raw } of page.entries)
      entries.push({
        seq,
        source,
        event,
        ...(raw === undefined ? {} : { raw: JSON.parse(raw) as AguiEvent }),
      });
    after = page.entries.at(-1)?.seq ?? page.head;
    if (after >= page.head) return { threadId: id, epoch: page.epoch, head: page.head, entries };
  }
};
