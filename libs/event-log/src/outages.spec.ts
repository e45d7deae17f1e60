/** Proves what follows and appends live through: lost connections, a dead Redis, silence. */
import { randomBytes } from 'node:crypto';
import { closeRedis, connectRedis, createLog, threadKey } from '@triptych/platform';
import { StoreAway, type ThreadId, isStoreAway } from '@triptych/protocol';
import type { Redis } from 'ioredis';
import { Reader, counting, newThread, textEvent } from '../../../test/redis/log-reader.js';
import { type OwnRedis, hasRedisServer, startOwnRedis } from '../../../test/redis/own-redis.js';
import { startTcpProxy } from '../../../test/redis/tcp-proxy.js';
import { verifies } from '../../../test/spec/verifies.js';
import { type RedisEventLog, redisEventLog } from './adapters/redis-event-log.js';
import type { WatchBounds } from './adapters/subscription-watch.js';
import type { AppendOutcome } from './core/event-log.js';

const quiet = createLog({ level: 'silent' });
const told = (redis: Redis, name: string): Promise<void> =>
  new Promise((resolve) => redis.once(name, () => resolve()));

interface Client {
  readonly log: RedisEventLog;
  readonly redis: Redis;
  readonly subscriber: Redis;
}

const clients: Client[] = [];
const servers: OwnRedis[] = [];
let thread: ThreadId;
let reader: Reader;

const clientOf = async (
  url: string,
  subscriberUrl = url,
  watch: Partial<WatchBounds> = {},
): Promise<Client> => {
  const redis = await connectRedis(url, 'commands', { log: quiet });
  const subscriber = await connectRedis(subscriberUrl, 'subscriber', { log: quiet });
  const newEpoch = (): string => randomBytes(4).toString('hex');
  const client = {
    redis,
    subscriber,
    log: redisEventLog({ redis, subscriber, newEpoch, log: quiet, watch }),
  };
  clients.push(client);
  return client;
};
const ownRedis = async (memory?: 'safe' | 'forgetful'): Promise<OwnRedis> => {
  const own = await startOwnRedis(memory);
  servers.push(own);
  return own;
};
const append = (client: Client, ...deltas: string[]): Promise<AppendOutcome> =>
  client.log.append({ thread, events: deltas.map(textEvent) });
/** As a producer does: the same events with the same place, until they are stored. */
const appendSurely = async (client: Client, n: number): Promise<void> => {
  const producer = { id: 'p', epoch: 1, seq: n - 1 };
  for (;;) {
    try {
      await client.log.append({ thread, events: [textEvent(String(n))], producer });
      return;
    } catch (error) {
      if (!isStoreAway(error)) throw error;
      if (client.redis.status !== 'ready') await told(client.redis, 'ready');
    }
  }
};
const stored = (outcome: AppendOutcome): Extract<AppendOutcome, { status: 'stored' }> => {
  if (outcome.status !== 'stored') throw new Error(`expected stored, got ${JSON.stringify(outcome)}`);
  return outcome;
};
const healthy = (client: Client): Promise<void> => reader.until(() => client.log.healthy());

beforeEach(() => {
  thread = newThread();
  reader = new Reader();
});
afterEach(async () => {
  for (const { log, redis, subscriber } of clients.splice(0)) {
    log.close();
    await Promise.all([closeRedis(redis), closeRedis(subscriber)]);
  }
  for (const own of servers.splice(0)) await own.stop();
});

const shared = process.env['REDIS_URL'] as string;

describe('outages of a connection', () => {
  verifies('LOG-16', 'a subscription that falls silent is found and replaced', async () => {
    const proxy = await startTcpProxy(shared);
    const client = await clientOf(shared, proxy.url, { idleMs: 50, echoMs: 50 });
    const follow = await client.log.follow(thread, 0, reader);
    await healthy(client);
    await append(client, '1');
    await reader.has(1);
    const told = reader.healths.length;
    proxy.freeze();
    await append(client, '2');
    await append(client, '3');
    await reader.has(3);
    await healthy(client);
    expect(reader.healths.slice(told)).toEqual([false, true]);
    await append(client, '4');
    await reader.has(4);
    expect(reader.seqs).toEqual([1, 2, 3, 4]);
    follow.stop();
    await proxy.stop();
  });

  verifies('LOG-17', 'a lost channel is found by its position and subscribed again', async () => {
    const client = await clientOf(shared, shared, { positionsMs: 50 });
    await client.log.follow(thread, 0, reader);
    await healthy(client);
    const channel = threadKey(thread, 'c');
    await client.subscriber.sunsubscribe(channel);
    await append(client, 'unannounced');
    await reader.has(1);
    const listeners = async (): Promise<unknown> => (await client.redis.pubsub('SHARDNUMSUB', channel))[1];
    while ((await listeners()) === 0) await client.subscriber.ping();
    expect(await listeners()).toBe(1);
  });

  verifies('LOG-20', 'a channel that nobody follows is unsubscribed', async () => {
    const client = await clientOf(shared);
    const listeners = async (): Promise<unknown> => {
      // On the same connection: what was sent before has been done.
      await client.subscriber.ping();
      return (await client.redis.pubsub('SHARDNUMSUB', threadKey(thread, 'c')))[1];
    };
    const follows = [
      await client.log.follow(thread, 0, reader),
      await client.log.follow(thread, 0, new Reader()),
    ];
    expect(await listeners()).toBe(1);
    follows[0]?.stop();
    expect(await listeners()).toBe(1);
    follows[1]?.stop();
    follows[1]?.stop();
    expect(await listeners()).toBe(0);
    await client.log.follow(thread, 0, reader);
    client.log.close();
    expect(await listeners()).toBe(0);
    expect(client.log.healthy()).toBe(false);
  });

  verifies('LOG-23', 'a listener that throws is heard of, and goes on like the others', async () => {
    const client = await clientOf(shared);
    const seen: number[] = [];
    await append(client, '1');
    await client.log.follow(thread, 0, {
      entries: (batch) => {
        seen.push(...batch.map(({ seq }) => seq));
        throw new Error('a bug of the listener');
      },
      rotated: () => undefined,
    });
    await client.log.follow(thread, 0, reader);
    await append(client, '2');
    await reader.has(2);
    expect([seen, reader.seqs]).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });
});

(hasRedisServer() ? describe : describe.skip)('outages of a redis-server', () => {
  verifies('LOG-14', 'connections that are cut again and again cost nothing', async () => {
    const own = await ownRedis();
    const [writer, follower] = [await clientOf(own.url), await clientOf(own.url)];
    const follow = await follower.log.follow(thread, 0, reader);
    for (const n of counting(1, 60)) {
      await append(writer, String(n));
      if (n % 20 === 0) {
        const back = told(follower.subscriber, 'ready');
        await writer.redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
        await Promise.all([append(writer, 'while away'), back]);
      }
    }
    await reader.has(63);
    expect(reader.seqs).toEqual(counting(1, 63));
    follow.stop();
  });

  verifies('LOG-15', 'Redis dies and comes back: nothing lost, nothing twice', async () => {
    const own = await ownRedis();
    const [writer, follower] = [await clientOf(own.url), await clientOf(own.url)];
    await follower.log.follow(thread, 0, reader);
    const writing = (async () => {
      for (const n of counting(1, 200)) await appendSurely(writer, n);
    })();
    for (const after of [30, 90]) {
      await reader.has(after);
      await own.kill();
      await own.start();
    }
    await Promise.all([writing, reader.has(200)]);
    expect(reader.seqs).toEqual(counting(1, 200));
    expect(reader.entriesSeen.map(({ event }) => event['delta'])).toEqual(counting(1, 200).map(String));
    expect(reader.rotations).toEqual([]);
    await healthy(follower);
  });

  verifies(
    'LOG-30',
    'a Redis that goes back is found by who follows, and its log gets a new epoch',
    async () => {
      const own = await ownRedis();
      const [writer, follower] = [await clientOf(own.url), await clientOf(own.url)];
      await append(writer, '1', '2');
      own.remember();
      await follower.log.follow(thread, 0, reader);
      await append(writer, '3', '4', '5');
      await reader.has(5);
      const { epoch } = await writer.log.read(thread, 0, 1);
      await own.goBack();
      await reader.until(({ rotations }) => rotations.length > 0);
      const after = await follower.log.read(thread, 0, 10);
      expect(after).toMatchObject({ epoch: reader.rotations[0], head: 5 });
      expect(after.epoch).not.toBe(epoch);
      expect(after.entries.map(({ seq }) => seq)).toEqual([1, 2]);
      expect(reader.rotations).toHaveLength(1);
    },
  );

  verifies('LOG-30', 'what was only read counts as seen', async () => {
    const own = await ownRedis();
    const [writer, other] = [await clientOf(own.url), await clientOf(own.url)];
    await append(writer, '1', '2');
    own.remember();
    await append(writer, '3');
    const { epoch } = await other.log.read(thread, 0, 10);
    const back = told(other.redis, 'ready');
    await own.goBack();
    await back;
    const outcome = await append(other, 'another');
    expect(outcome).toMatchObject({ status: 'stored', first: 4, last: 4 });
    expect(outcome).not.toMatchObject({ epoch });
  });

  verifies('LOG-31', 'a stranger to what was lost takes no number of it under the old epoch', async () => {
    const own = await ownRedis();
    const writer = await clientOf(own.url);
    const { epoch } = stored(await append(writer, '1', '2'));
    own.remember();
    await append(writer, '3');
    await own.goBack();
    const stranger = await clientOf(own.url);
    // What is read only now is what was left.
    expect(await stranger.log.read(thread, 0, 10)).toMatchObject({ epoch, head: 2 });
    const another = stored(await append(stranger, 'another'));
    expect(another).toMatchObject({ first: 3, last: 3 });
    expect(another.epoch).not.toBe(epoch);
    expect(stored(await append(stranger, 'and on')).epoch).toBe(another.epoch);
    const { entries } = await stranger.log.read(thread, 0, 10);
    expect(entries.map(({ event }) => event['delta'])).toEqual(['1', '2', 'another', 'and on']);
  });

  verifies('LOG-31', 'who saw the head before Redis died goes on, and so does who stored it', async () => {
    const own = await ownRedis();
    const [writer, watcher] = [await clientOf(own.url), await clientOf(own.url)];
    const producer = { id: 'p', epoch: 1, seq: 0 };
    const request = { thread, events: [textEvent('1')] };
    await watcher.log.follow(thread, 0, reader);
    const { epoch } = stored(await writer.log.append({ ...request, producer }));
    await reader.has(1);
    await own.kill();
    await own.start();
    const stranger = await clientOf(own.url);
    const continued = await stranger.log.append({ ...request, producer: { ...producer, seq: 1 } });
    expect(continued).toMatchObject({ epoch, last: 2 });
    await reader.has(2);
    await healthy(watcher);
    await own.kill();
    const back = told(watcher.redis, 'ready');
    await own.start();
    await back;
    expect(await append(watcher, '3')).toMatchObject({ epoch, last: 3 });
    await reader.has(3);
    expect(reader.rotations).toEqual([]);
  });

  verifies('LOG-12', 'a Redis that comes back empty ends the follow', async () => {
    const own = await ownRedis('forgetful');
    const client = await clientOf(own.url);
    await client.log.follow(thread, 0, reader);
    await append(client, '1', '2');
    await reader.has(2);
    await own.kill();
    await own.start();
    await reader.until(({ rotations }) => rotations.length > 0);
    expect(reader.rotations).toEqual(['']);
    const again = new Reader();
    await client.log.follow(thread, 0, again);
    expect(await append(client, 'anew')).toMatchObject({ status: 'stored', last: 1 });
    await again.has(1);
  });

  verifies('LOG-18', 'while Redis is away appends, reads and new follows reject at once', async () => {
    const own = await ownRedis();
    const client = await clientOf(own.url);
    await client.log.follow(thread, 0, reader);
    await healthy(client);
    const away = Promise.all([told(client.redis, 'close'), told(client.subscriber, 'close')]);
    await own.kill();
    await away;
    expect(client.log.healthy()).toBe(false);
    await expect(append(client, '1')).rejects.toBeInstanceOf(StoreAway);
    await expect(client.log.read(thread, 0, 1)).rejects.toBeInstanceOf(StoreAway);
    await expect(client.log.follow(newThread(), 0, new Reader())).rejects.toBeInstanceOf(StoreAway);
    await own.start();
    await healthy(client);
    expect(await append(client, '1')).toMatchObject({ status: 'stored', last: 1 });
    await reader.has(1);
  });

  verifies('LOG-18', 'a full Redis is away for appends and still read', async () => {
    const own = await ownRedis();
    const client = await clientOf(own.url);
    await append(client, '1');
    await client.redis.config('SET', 'maxmemory', '1');
    await expect(append(client, '2')).rejects.toBeInstanceOf(StoreAway);
    await client.redis.config('SET', 'maxmemory', '0');
    expect(await append(client, '2')).toMatchObject({ status: 'stored', last: 2 });
  });
});
