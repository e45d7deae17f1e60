/** Proves the rooms of two instances over one real log, with the product's own projection and fold. */
import { randomBytes, randomUUID } from 'node:crypto';
import { beginView, compilePolicy, viewStep, type Policy } from '@triptych/access';
import { redisEventLog, type RedisEventLog } from '@triptych/event-log';
import { closeRedis, connectRedis, createLog, every, systemClock } from '@triptych/platform';
import {
  asThreadId,
  emptyModel,
  modelStep,
  prelude,
  SURFACES,
  type AguiEvent,
  type Model,
  type Position,
  type Surface,
  type ThreadId,
} from '@triptych/protocol';
import { verifies } from '../../../test/spec/verifies.js';
import { hasRedisServer, startOwnRedis } from '../../../test/redis/own-redis.js';
import { CANARY, REDACTED_CANARY, StreamAuthor } from '../../../test/streams/legal-stream.js';
import type { Delivery } from './core/delivery.js';
import { positionCodec } from './core/position.js';
import type { Projection } from './core/ports.js';
import type { Reader } from './core/reader.js';
import type { Joined } from './shell/joined.js';
import { roomsOn, type Rooms } from './shell/rooms.js';

const quiet = createLog({ level: 'silent' });
const VIEWED = { agentId: 'bank', tenant: 'default' };

const policyOf = (content: unknown): Policy => {
  const read = compilePolicy(content);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value;
};
const POLICY = policyOf({
  surfaces: {
    customer: {
      state: ['/shown'],
      redact: ['/shown/secret'],
      tools: { look: { label: 'Looking', args: ['/a'], redact: ['/a/secret'] } },
    },
    reviewer: {
      state: [''],
      redact: ['/shown/secret'],
      tools: { '*': { args: [''], result: [''], redact: ['/a/secret'] } },
      custom: ['*'],
      subagents: true,
      reasoning: true,
    },
  },
});

const projection: Projection = {
  begin: (surface) => beginView(POLICY, surface, VIEWED),
  step: viewStep as Projection['step'],
};

/** Folds what it is handed, as a client does; never slow. */
class Screen implements Reader {
  readonly deliveries: Delivery[] = [];
  model: Model = emptyModel();
  gaps = 0;
  private waiting: (() => void)[] = [];

  constructor(public pos?: Position) {}

  deliver(delivery: Delivery): void {
    const { data } = JSON.parse(delivery.frame()) as { data: { events: readonly AguiEvent[] } };
    if (delivery.kind === 'agui' && delivery.prev !== this.pos) this.gaps += 1;
    const base = delivery.kind === 'snapshot' ? emptyModel() : this.model;
    this.model = data.events.reduce(modelStep, base);
    this.pos = delivery.pos;
    this.deliveries.push(delivery);
    for (const wake of this.waiting.splice(0)) wake();
  }

  pour(delivery: Delivery): boolean {
    this.deliver(delivery);
    return true;
  }

  async reaches(pos: Position): Promise<void> {
    while (this.pos !== pos) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  unsent(): number {
    return 0;
  }

  taken(): number {
    return 0;
  }

  close(): void {}

  get text(): string {
    return this.deliveries.map((delivery) => delivery.frame()).join('\n');
  }
}

interface Instance {
  readonly log: RedisEventLog;
  readonly rooms: Rooms;
  readonly close: () => Promise<void>;
}

const instances: Instance[] = [];
const SECRET = randomBytes(32);

const instance = async (url = process.env['REDIS_URL'] as string): Promise<Instance> => {
  const redis = await connectRedis(url, 'commands', { log: quiet });
  const subscriber = await connectRedis(url, 'subscriber', { log: quiet });
  const log = redisEventLog({
    redis,
    subscriber,
    log: quiet,
    newEpoch: () => randomBytes(4).toString('hex'),
  });
  const rooms = roomsOn({
    log,
    projectionFor: () => projection,
    fold: { empty: emptyModel, step: modelStep as never, prelude: prelude as never },
    positions: positionCodec(SECRET),
    policyVersion: POLICY.version,
    clock: systemClock,
    timers: {
      every,
      after: (ms, run) => {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
    },
    report: (what, error) => {
      throw new Error(what, { cause: error });
    },
  });
  const close = async (): Promise<void> => {
    rooms.close();
    log.close();
    await Promise.all([closeRedis(subscriber), closeRedis(redis)]);
  };
  const opened = { log, rooms, close };
  instances.push(opened);
  return opened;
};

let two: readonly [Instance, Instance];
beforeAll(async () => {
  two = [await instance(), await instance()];
});
afterAll(async () => {
  for (const { close } of instances) await close();
});

const join = async (at: Instance, thread: ThreadId, surface: Surface, screen = new Screen()) => {
  const joined: Joined = await at.rooms.join({ thread, surface, reader: screen, from: screen.pos });
  joined.start();
  return { surface, screen, joined };
};

/** Appends in batches, by either instance in turn. */
const writeAll = async (
  thread: ThreadId,
  events: readonly AguiEvent[],
  between: (nth: number) => Promise<void>,
) => {
  for (let nth = 0, from = 0; from < events.length; nth += 1) {
    const batch = events.slice(from, from + 1 + ((nth * 7) % 5));
    from += batch.length;
    const texts = batch.map((one) => ({ json: JSON.stringify(one), source: 'agent' as const }));
    await two[nth % 2]!.log.append({ thread, events: texts });
    await between(nth);
  }
};

const gist = ({ messages, state, pending, open }: Model) => ({ messages, state, pending, open });

describe('two instances on one store', () => {
  verifies('FAN-18', 'same events, same order, equal positions, whoever joined when', async () => {
    const thread = asThreadId(randomUUID());
    const events = new StreamAuthor([31, 4, 15, 92, 65, 35, 89, 79]).write(4, 60);
    const seats = await Promise.all(
      SURFACES.flatMap((surface) => two.map((at) => join(at, thread, surface))),
    );
    const late: Promise<Awaited<ReturnType<typeof join>>>[] = [];
    await writeAll(thread, events, async (nth) => {
      if (nth % 3 === 0) late.push(join(two[nth % 2]!, thread, SURFACES[(nth / 3) % 3]!));
      // Some leave for the other instance and go on from where they stood.
      const mover = seats[nth % seats.length]!;
      if (nth % 4 !== 1 || mover.screen.pos === undefined) return;
      mover.joined.leave();
      seats[nth % seats.length] = await join(two[(nth + 1) % 2]!, thread, mover.surface, mover.screen);
    });
    const all = [...seats, ...(await Promise.all(late))];
    // Movers may all have ended on one instance, and the other may lawfully be a moment behind: wait for both.
    const witnesses = await Promise.all(two.map((at) => join(at, thread, 'operator')));
    const [epoch] = (await two[0].rooms.snapshotOf(thread, 'operator')).pos.split(':');
    const furthest = `${epoch}:${events.length}` as Position;
    await Promise.all(witnesses.map(({ screen }) => screen.reaches(furthest)));
    for (const surface of SURFACES) {
      const [one, other] = await Promise.all(two.map((at) => at.rooms.snapshotOf(thread, surface)));
      expect(one!.pos).toBe(other!.pos);
      expect(one!.model).toEqual(other!.model);
      for (const { screen } of all.filter((seat) => seat.surface === surface)) {
        await screen.reaches(one!.pos);
        expect(screen.gaps).toBe(0);
        expect(gist(screen.model)).toEqual(gist(one!.model as Model));
      }
    }
    const customers = all
      .filter(({ surface }) => surface === 'customer')
      .map(({ screen }) => screen.text)
      .join();
    expect(customers).not.toContain(CANARY);
    expect(
      all
        .filter(({ surface }) => surface === 'reviewer')
        .map(({ screen }) => screen.text)
        .join(),
    ).not.toContain(REDACTED_CANARY);
  });

  verifies('FAN-10', 'the operator sees the log itself, and what of it others saw', async () => {
    const thread = asThreadId(randomUUID());
    const events = new StreamAuthor([2, 7, 18, 28, 18, 28, 45]).write(2, 30);
    await writeAll(thread, events, async () => undefined);
    const { screen } = await join(two[0], thread, 'operator', new Screen('00000000:0' as Position));
    const seen = screen.deliveries.flatMap((delivery) => (delivery.kind === 'agui' ? delivery.shown : []));
    expect(seen.map(({ json }) => JSON.parse(json) as AguiEvent)).toEqual(events);
    expect(seen.map(({ seq }) => seq)).toEqual(events.map((_, nth) => nth + 1));
    const customer = await join(two[1], thread, 'customer', new Screen(await emptyPosition('customer')));
    const shown = customer.screen.deliveries.flatMap((delivery) =>
      delivery.kind === 'agui' ? delivery.shown : [],
    );
    const visible = new Set(shown.map(({ seq }) => seq));
    for (const one of seen) if (visible.has(one.seq)) expect(one.seen?.customer).not.toBe('hidden');
  });

  verifies('FAN-15', 'a log that vanished under its readers is a reset, then goes on', async () => {
    const thread = asThreadId(randomUUID());
    const [at] = two;
    await at.log.append({ thread, events: [started(thread, 'r1'), finished(thread, 'r1')] });
    const { screen } = await join(at, thread, 'customer');
    const admin = await connectRedis(process.env['REDIS_URL'] as string, 'commands', { log: quiet });
    const keys = await admin.keys(`*${(await import('@triptych/platform')).threadTag(thread)}*`);
    await admin.del(...keys);
    await closeRedis(admin);
    await at.log.append({ thread, events: [started(thread, 'r2')] });
    while (screen.deliveries.at(-1)?.kind !== 'snapshot' || screen.deliveries.length < 2)
      await new Promise((resolve) => setImmediate(resolve));
    expect(screen.deliveries.at(-1)).toMatchObject({ kind: 'snapshot', reason: 'reset' });
    expect(screen.text).toContain('r2');
  });
});

(hasRedisServer() ? describe : describe.skip)('rooms on a redis-server that loses its last writes', () => {
  verifies('FAN-60', 'whoever was shown what was lost is shown what took its place', async () => {
    const own = await startOwnRedis();
    const thread = asThreadId(randomUUID());
    const first = await instance(own.url);
    await first.log.append({ thread, events: [started(thread, 'r1')] });
    own.remember();
    const lost = textOf({ type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' });
    await first.log.append({ thread, events: [lost] });
    const { screen } = await join(first, thread, 'customer');
    expect(screen.model.open).toHaveLength(1);
    await first.close();
    await own.goBack();
    const mourner = await instance(own.url);
    const words = textOf({ type: 'RUN_ERROR', message: 'It was lost.', code: 'hub/runner-lost' });
    const error = { ...words, source: 'hub' as const };
    expect(await mourner.log.append({ thread, events: [error] })).toMatchObject({ last: 2 });
    const { joined } = await join(await instance(own.url), thread, 'customer', screen);
    expect(joined.recovered).toBe('snapshot');
    expect(screen.deliveries.at(-1)).toMatchObject({ kind: 'snapshot', reason: 'reset' });
    expect(screen.model.run?.error?.code).toBe('hub/runner-lost');
    for (const one of instances.splice(2)) await one.close();
    await own.stop();
  });
});

const emptyPosition = async (surface: Surface): Promise<Position> =>
  (await two[0].rooms.snapshotOf(asThreadId(randomUUID()), surface)).pos;

const textOf = (event: AguiEvent) => ({ json: JSON.stringify(event), source: 'agent' as const });
const started = (threadId: string, runId: string) => textOf({ type: 'RUN_STARTED', threadId, runId });
const finished = (threadId: string, runId: string) => textOf({ type: 'RUN_FINISHED', threadId, runId });
