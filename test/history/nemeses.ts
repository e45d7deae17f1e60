/** What goes wrong during a history. Each strikes for a bounded time and leaves nothing broken behind. */
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Chance } from './chance.js';
import type { Hub } from '../stand/hub.js';
import type { Stand } from './stand.js';

export interface Crowd {
  /** Of the readers with plain sockets, how many out of ten. */
  readonly slow: number;
  readonly stalled: number;
  /** How likely a batch is sent twice, late or early. */
  readonly unruly: number;
  /** How likely a delta is longer than an announcement carries. */
  readonly long: number;
}

export interface Scene {
  readonly stand: Stand;
  readonly chance: Chance;
  /** Makes the threads known again to a store that forgets them. */
  readonly forgetting: (forget: () => Promise<void>) => Promise<void>;
}

export interface Nemesis {
  readonly name: string;
  readonly crowd?: Partial<Crowd>;
  /** The store may lose what it acknowledged. */
  readonly lossy?: boolean;
  /** Runs may end in the hub's words: who carried them died, or was silent for longer than a lease. */
  readonly endsRuns?: boolean;
  readonly strike: (scene: Scene) => Promise<void>;
}

const SHORT_MS = 2_500;
const HUB_STOPS_MS = 5_000;
const REDIS_STOPS_MS = 8_000;
const PUBSUB_EVERY_MS = 200;
const SCRIPTS_EVERY_MS = 100;
const HALF_OPEN_MS = 5_000;
const SLOW_BYTES_PER_SECOND = 1_024;
const LAG_MS = 300;

const soon = ({ chance }: Scene): Promise<void> => pause(chance.between(300, 1_200));
const someHub = ({ stand, chance }: Scene): Hub => chance.one(stand.hubs);

/** Asks the store itself, past every proxy. */
const atStore = async (scene: Scene, act: (redis: Redis) => Promise<unknown>): Promise<void> => {
  const redis = new Redis(scene.stand.redis.url);
  redis.on('error', () => undefined);
  try {
    await act(redis);
  } finally {
    redis.disconnect();
  }
};

const again = async (ms: number, everyMs: number, act: () => unknown): Promise<void> => {
  for (const until = Date.now() + ms; Date.now() < until;) {
    await act();
    await pause(everyMs);
  }
};

const calm: Nemesis = { name: 'none', strike: () => pause(SHORT_MS) };

const killHub: Nemesis = {
  name: 'kill-hub',
  endsRuns: true,
  strike: async (scene) => {
    await soon(scene);
    await someHub(scene).restart();
  },
};

const stopHub: Nemesis = {
  name: 'stop-hub',
  endsRuns: true,
  strike: async (scene) => {
    await soon(scene);
    const { process } = someHub(scene);
    process.signal('SIGSTOP');
    await pause(HUB_STOPS_MS);
    process.signal('SIGCONT');
  },
};

const killRedis: Nemesis = {
  name: 'kill-redis',
  lossy: true,
  endsRuns: true,
  strike: async (scene) => {
    await soon(scene);
    await scene.stand.redis.kill();
    await soon(scene);
    await scene.stand.redis.start();
  },
};

const stopRedis: Nemesis = {
  name: 'stop-redis',
  endsRuns: true,
  strike: async (scene) => {
    await soon(scene);
    scene.stand.redis.signal('SIGSTOP');
    await pause(REDIS_STOPS_MS);
    scene.stand.redis.signal('SIGCONT');
  },
};

/** A power cut between two syncs, or a replica that lagged: what was acknowledged in between is gone. */
const goBack: Nemesis = {
  name: 'redis-goes-back',
  lossy: true,
  endsRuns: true,
  strike: async (scene) => {
    await soon(scene);
    scene.stand.redis.remember();
    await soon(scene);
    await scene.stand.redis.goBack();
  },
};

const wipe: Nemesis = {
  name: 'wipe-redis',
  lossy: true,
  endsRuns: true,
  strike: async (scene) => {
    await soon(scene);
    await scene.forgetting(() => atStore(scene, (redis) => redis.flushall()));
  },
};

const killPubsub: Nemesis = {
  name: 'kill-pubsub',
  strike: (scene) =>
    atStore(scene, (redis) =>
      again(SHORT_MS, PUBSUB_EVERY_MS, () => redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub')),
    ),
};

const flushScripts: Nemesis = {
  name: 'flush-scripts',
  strike: (scene) =>
    atStore(scene, (redis) => again(SHORT_MS, SCRIPTS_EVERY_MS, () => redis.script('FLUSH'))),
};

const halfOpenRedis: Nemesis = {
  name: 'half-open-redis',
  endsRuns: true,
  strike: async (scene) => {
    await soon(scene);
    const { redis } = someHub(scene).lines;
    redis.hang();
    await pause(HALF_OPEN_MS);
    // Sometimes what was under way still arrives, sometimes never.
    if (scene.chance.happens(0.5)) redis.cut();
    redis.heal();
  },
};

const halfOpenClients: Nemesis = {
  name: 'half-open-clients',
  strike: async (scene) => {
    await soon(scene);
    const { clients } = someHub(scene).lines;
    clients.hang();
    await pause(HALF_OPEN_MS);
    if (scene.chance.happens(0.5)) clients.cut();
    clients.heal();
  },
};

const tornFrames: Nemesis = {
  name: 'torn-frames',
  strike: (scene) =>
    again(SHORT_MS, 250, () => {
      const { clients, redis } = someHub(scene).lines;
      if (scene.chance.happens(0.7)) clients.tear();
      else if (scene.chance.happens(0.5)) redis.tear();
      else redis.cut();
    }),
};

const lagging: Nemesis = {
  name: 'lag',
  strike: async (scene) => {
    const { clients, redis } = someHub(scene).lines;
    clients.lag(LAG_MS);
    redis.lag(scene.chance.between(20, LAG_MS));
    await pause(SHORT_MS);
    for (const line of [clients, redis]) line.heal();
  },
};

const stalledReaders: Nemesis = {
  name: 'stalled-readers',
  crowd: { stalled: 7, long: 0.06 },
  strike: () => pause(SHORT_MS),
};

const slowReaders: Nemesis = {
  name: 'slow-readers',
  crowd: { slow: 6, long: 0.06 },
  strike: async ({ stand }) => {
    for (const { lines } of stand.hubs) lines.slow.crawl(SLOW_BYTES_PER_SECOND);
    await pause(SHORT_MS);
    for (const { lines } of stand.hubs) lines.slow.heal();
  },
};

const unrulyBatches: Nemesis = {
  name: 'unruly-batches',
  crowd: { unruly: 0.8 },
  strike: () => pause(SHORT_MS),
};

export const NEMESES: readonly Nemesis[] = [
  calm,
  killHub,
  stopHub,
  killRedis,
  stopRedis,
  goBack,
  wipe,
  killPubsub,
  flushScripts,
  halfOpenRedis,
  halfOpenClients,
  tornFrames,
  lagging,
  stalledReaders,
  slowReaders,
  unrulyBatches,
];

/** As asked for by name; `all` is all. */
export const nemesesNamed = (names: string): readonly Nemesis[] => {
  if (names === 'all') return NEMESES;
  return names.split(',').map((name) => {
    const found = NEMESES.find((each) => each.name === name);
    if (!found)
      throw new Error(`No nemesis "${name}"; there are: ${NEMESES.map((each) => each.name).join(', ')}.`);
    return found;
  });
};
