/** The Redis a machine gets: a server of its own where there is one, the embedded one elsewhere. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '../spec/verifies.js';
import { redisCli, until } from './house.js';

interface Provided {
  readonly kind: string;
  readonly port: number;
  readonly pid: number;
  readonly dir: string;
  readonly exited: Promise<string>;
  stop(): Promise<void>;
}
const { ensureRedis } = (await import(join(process.cwd(), 'scripts/redis.mjs'))) as {
  ensureRedis: (options: object) => Promise<Provided>;
};
const withoutPath = async <T>(work: () => Promise<T>): Promise<T> => {
  const before = process.env.PATH;
  process.env.PATH = '';
  try {
    return await work();
  } finally {
    process.env.PATH = before;
  }
};
const modes = process.env.REDIS_KIND === 'server' ? ['server', 'embedded'] : ['embedded'];

describe('the Redis of this machine', () => {
  let dataDir: string;
  const started: Provided[] = [];
  const ensure = async (options: object): Promise<Provided> => {
    const redis = await ensureRedis({ dataDir, log: () => {}, ...options });
    started.push(redis);
    return redis;
  };
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'triptych-ops-redis-'));
  });
  afterEach(async () => {
    for (const redis of started.splice(0)) await redis.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  for (const mode of modes) {
    verifies('OPS-3', `${mode}: a killed one comes back on its port with its data`, async () => {
      const first = await ensure({ mode });
      redisCli(first.port, 'XADD', 'kept', '*', 'a', '1');
      const snapshot = join(first.dir, 'embedded.snapshot');
      if (mode === 'embedded') await until(() => readable(snapshot));
      process.kill(first.pid, 'SIGKILL');
      await first.exited;
      const second = await ensure({ mode, port: first.port });
      expect(second.port).toBe(first.port);
      expect(redisCli(second.port, 'XLEN', 'kept')).toContain(':1');
    });

    verifies('OPS-10', `${mode}: keeps everything over an orderly stop`, async () => {
      const first = await ensure({ mode });
      redisCli(first.port, 'SET', 'kept', 'yes');
      await first.stop();
      const second = await ensure({ mode });
      expect(redisCli(second.port, 'GET', 'kept')).toContain('yes');
    });

    verifies('OPS-11', `${mode}: listens on loopback only`, async () => {
      const { port } = await ensure({ mode });
      // 127.0.0.2 reaches whoever listens on every interface, and nobody who listens on 127.0.0.1.
      const [error] = await once(createConnection(port, '127.0.0.2'), 'error');
      expect(error.code).toBe('ECONNREFUSED');
    });
  }

  verifies(
    'OPS-10',
    'without a server on PATH the embedded one serves, and one line says how to do better',
    async () => {
      const lines: string[] = [];
      const redis = await withoutPath(() =>
        ensure({ mode: 'auto', log: (line: string) => lines.push(line) }),
      );
      expect(redis.kind).toBe('embedded');
      expect(redisCli(redis.port, 'PING')).toContain('+PONG');
      expect(lines).toEqual([expect.stringMatching(/^No redis-server found.*Better: /)]);
    },
  );

  verifies('OPS-10', 'asked for a server where there is none, it says what to install', async () => {
    await expect(withoutPath(() => ensure({ mode: 'server' }))).rejects.toThrow(
      /No redis-server found.*Install one/,
    );
    await expect(ensure({ mode: 'sever' })).rejects.toThrow(/REDIS_MODE=sever .*for example/);
  });

  verifies('OPS-10', 'an address given is taken as it is', async () => {
    expect(await ensure({ url: 'redis://example.test:1' })).toMatchObject({
      kind: 'external',
      url: 'redis://example.test:1',
    });
  });
});

const readable = (path: string): boolean => {
  try {
    return readFileSync(path).length > 0;
  } catch {
    return false;
  }
};
