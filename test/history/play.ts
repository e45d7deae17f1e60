/** Plays one seed under one nemesis, to its end, and hands over everything that was recorded. */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { RedisEventLog } from '@triptych/event-log';
import { SURFACES, type Surface } from '@triptych/protocol';
import { until } from '@triptych/testkit';
import { logDoor, pushDoor, type AppendDoor } from './append-doors.js';
import { BatchProducer } from './batch-producer.js';
import { Chance } from './chance.js';
import { coldReaders, livelyReaders, standTogether, type Places } from './crowd.js';
import { Gate } from './gate.js';
import type { Book, FinalLog, History, Sent } from './history.js';
import type { Crowd, Nemesis } from './nemeses.js';
import { ENGINE } from './people.js';
import { inPatience } from './patience.js';
import { RawReader, STEADY } from './raw-reader.js';
import type { HistoryReader, Seat } from './reader.js';
import { RunProducer, type Told } from './run-producer.js';
import type { Stand } from './stand.js';
import type { StoryShape } from './story.js';
import { openLog, wholeLog } from './whole-log.js';

const RUN_THREADS = 2;
const BATCH_THREADS = 1;
const PUSH_THREADS = 1;
const RUNS_A_THREAD = 3;
/** No thread ends empty: a prelude without events has no position, so an event stream could not say that it knows. */
const LAST: StoryShape = { length: 8, long: 0 };
const ORDINARY: Crowd = { slow: 0, stalled: 1, unruly: 0.2, long: 0.02 };

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
  private readonly closers: (() => Promise<void>)[] = [];
  private readonly gate = new Gate();
  private readonly readers: HistoryReader[] = [];
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
    try {
      return await this.playOn();
    } finally {
      await Promise.all(this.closers.map((close) => close()));
    }
  }

  private async playOn(): Promise<Played> {
    const { log, close } = await openLog(this.stand.redis.url);
    this.closers.push(close);
    await this.bindThreads();
    const first = await this.emptyPlaces();
    this.admit(livelyReaders((...seat) => this.seat(...seat), this.crowd));
    const runs = this.threads.runs.map((id) => new RunProducer(this.stand, id, this.chance.of(id)));
    const batches = this.batchProducers(log);
    await this.suffer([...runs, ...batches]);
    await this.within('batches', Promise.all(batches.map((each) => each.confirm())));
    const givenUp = (): boolean => this.problems.length > 0;
    await this.within('last runs', Promise.all(runs.map((each) => each.tell([LAST], givenUp))));
    for (const reader of this.readers) reader.settle();
    await this.within(
      'runs',
      this.until(() => this.areIdle()),
    );
    const logs = await this.finale(log, first);
    this.problems.push(...batches.flatMap(({ faults }) => faults));
    const sent = [...runs, ...batches].flatMap(({ told }) => told.map((one) => this.sentOf(one)));
    return {
      history: { sent, books: this.books(), logs, lossy: this.nemesis.lossy === true },
      problems: this.problems,
    };
  }

  /** While the producers tell what they have to tell, it strikes; in the end everything is mended. */
  private async suffer(producers: readonly (RunProducer | BatchProducer)[]): Promise<void> {
    const { stand, chance } = this;
    const telling = Promise.all(producers.map((each) => each.tell(this.shapes(), () => this.isOver)));
    await this.nemesis.strike({
      ...{ stand, chance: chance.of('nemesis') },
      forgetting: (forget) =>
        this.gate.close(async () => {
          await forget();
          await this.bindThreads();
        }),
    });
    await Promise.all(stand.hubs.map((hub) => hub.ready()));
    await this.within('producers', telling);
    this.isOver = true;
  }

  private sentOf({ telling, ...told }: Told): Sent {
    if (telling === undefined) return { ...told, asked: 1, complete: true };
    const { asked } = telling;
    return { ...told, asked, complete: asked > 0 && this.nemesis.endsRuns !== true };
  }

  private batchProducers(log: RedisEventLog): readonly BatchProducer[] {
    const { hubs, tokens } = this.stand;
    const manners = { unruly: this.crowd.unruly, twin: this.nemesis.lossy !== true };
    const givenUp = (): boolean => this.problems.length > 0;
    const pusher = { hubs, token: tokens.engine, chance: this.chance.of('push'), gate: this.gate };
    const by = (door: AppendDoor) => (id: string) =>
      new BatchProducer(door, id, { chance: this.chance.of(id), manners });
    return [
      ...this.threads.batches.map(by(logDoor(log, givenUp))),
      ...this.threads.pushes.map(by(pushDoor(pusher, givenUp))),
    ];
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
            authorization: `Bearer ${this.stand.tokens.customer}`,
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
      ...{ name, surface, threads, hubs: stand.hubs, token: stand.tokens[surface] },
      ...{ chance: this.chance.of(name), ...more },
    };
  }

  /** Where a surface stands before anything was said: from there everything is replayed. */
  private async emptyPlaces(): Promise<Places> {
    const found = await Promise.all(
      SURFACES.map(async (surface) => {
        const reader = new RawReader(this.seat('first', surface), STEADY);
        this.closers.push(() => reader.stop());
        await until(() => this.allThreads.every((id) => reader.positionOf(id) !== undefined));
        await reader.stop();
        return [surface, Object.fromEntries(this.allThreads.map((id) => [id, reader.positionOf(id) ?? '']))];
      }),
    );
    return Object.fromEntries(found) as Places;
  }

  private async areIdle(): Promise<boolean> {
    const { hubs, tokens } = this.stand;
    const headers = { authorization: `Bearer ${tokens.operator}` };
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

  /** Those who come only now, and the wait for all others to be where they are. */
  private async finale(log: RedisEventLog, first: Places): Promise<readonly FinalLog[]> {
    const logs = await Promise.all(this.allThreads.map((id) => wholeLog(log, id)));
    this.admit(coldReaders((...seat) => this.seat(...seat), this.stand.hubs, first));
    const isDone = (): boolean => standTogether(this.readers, logs);
    await this.within('readers', this.until(isDone));
    return logs;
  }

  private admit(readers: readonly HistoryReader[]): void {
    this.readers.push(...readers);
    this.closers.push(...readers.map((reader) => () => reader.stop()));
  }

  private books(): readonly Book[] {
    return this.readers.flatMap((reader) => reader.books());
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
    const seen = (): number => this.books().reduce((sum, { notes }) => sum + notes.length, 0);
    if (!(await inPatience(work, seen))) this.giveUp(`${what} did not come to their end`);
  }
}
