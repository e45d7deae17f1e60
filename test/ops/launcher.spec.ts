/** The launcher starts, mends and ends processes: seen on real processes with stand-in programs. */
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { verifies } from '../spec/verifies.js';
import { buildHouse, isAlive, redisCli, until, type House } from './house.js';

const SERVICES = ['redis', 'scripted-agent', 'worker', 'hub'];
const UP = 'Stop with Ctrl-C.';
const redisPortOf = (said: string): number => Number(/redis:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1]);
const hubAnswers = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/health/ready`).then(
    (answer) => answer.ok,
    () => false,
  );

describe('npm start', () => {
  let house: House;
  beforeEach(async () => {
    house = await buildHouse();
  });
  afterEach(() => house.remove());

  verifies('OPS-1', 'starts everything, notes the pids, says where to click and how to stop', async () => {
    const launched = house.start();
    await launched.until(UP);
    for (const page of ['customer', 'reviewer', 'operator'])
      expect(launched.said()).toContain(`http://127.0.0.1:${house.port}/${page}`);
    expect(SERVICES.map((name) => isAlive(house.pidOf(name)))).toEqual([true, true, true, true]);
    expect(await hubAnswers(house.port)).toBe(true);
    launched.child.kill('SIGTERM');
    await launched.ended;
  });

  verifies('OPS-2', 'brings a killed child back', async () => {
    const launched = house.start();
    await launched.until(UP);
    for (const name of ['worker', 'scripted-agent', 'hub']) {
      const before = house.pidOf(name);
      process.kill(before, 'SIGKILL');
      await until(() => house.pidOf(name) !== before && isAlive(house.pidOf(name)));
    }
    await until(() => hubAnswers(house.port));
    launched.child.kill('SIGTERM');
    await launched.ended;
  });

  verifies('OPS-2', 'waits longer for one that keeps dying, never past two seconds', async () => {
    const { backOff } = await import(join(process.cwd(), 'scripts/supervise.mjs'));
    const waits = Array.from({ length: 50 }, (_, returns) => backOff(returns));
    expect(waits.slice(0, 4)).toEqual([100, 200, 400, 800]);
    expect(Math.max(...waits)).toBeLessThan(2_000);
  });

  verifies('OPS-3', 'brings its Redis back on the old port with its data', async () => {
    const launched = house.start();
    await launched.until(UP);
    const port = redisPortOf(launched.said());
    expect(redisCli(port, 'SET', 'kept', 'yes')).toContain('+OK');
    const before = house.pidOf('redis');
    process.kill(before, 'SIGKILL');
    await until(() => house.pidOf('redis') !== before && redisCli(port, 'GET', 'kept').includes('yes'));
    launched.child.kill('SIGTERM');
    await launched.ended;
  });

  verifies('OPS-4', 'ends all in reverse order, Redis last, exit 0, nothing left', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const noted = house.journal().length;
      const launched = house.start();
      await launched.until(UP);
      await until(() => house.journal().length === noted + 3);
      const pids = SERVICES.map((name) => house.pidOf(name));
      launched.child.kill(signal);
      expect(await launched.ended).toBe(0);
      expect(pids.map(isAlive)).toEqual([false, false, false, false]);
      expect(SERVICES.map((name) => house.pidOf(name))).toEqual([0, 0, 0, 0]);
      expect(house.journal().slice(-3)).toEqual([
        'hub ended, redis answered',
        'worker ended, redis answered',
        'scripted-agent ended, no redis asked',
      ]);
    }
  });

  verifies('OPS-5', 'a taken port is named and nothing is started', async () => {
    const squatter = createServer().listen(house.port, '127.0.0.1');
    await once(squatter, 'listening');
    const launched = house.start();
    expect(await launched.ended).toBe(1);
    expect(launched.said()).toContain(`PORT=${house.port + 1} npm start`);
    expect(house.journal()).toEqual([]);
    squatter.close();
  });

  verifies('OPS-6', 'a second launcher on one DATA_DIR is refused', async () => {
    const first = house.start();
    await first.until(UP);
    const second = house.start({ PORT: String(house.port + 1) });
    expect(await second.ended).toBe(1);
    expect(second.said()).toContain('Already running');
    expect(isAlive(house.pidOf('redis'))).toBe(true);
    first.child.kill('SIGTERM');
    await first.ended;
  });

  verifies(
    'OPS-7',
    'a launcher killed outright takes its children along, and the next one adopts the Redis',
    async () => {
      const first = house.start();
      await first.until(UP);
      const [redis, ...children] = SERVICES.map((name) => house.pidOf(name));
      first.child.kill('SIGKILL');
      await until(() => children.every((pid) => !isAlive(pid)));
      const second = house.start();
      await second.until(UP);
      if (redisPortOf(first.said()) === redisPortOf(second.said())) expect(house.pidOf('redis')).toBe(redis);
      second.child.kill('SIGTERM');
      expect(await second.ended).toBe(0);
      expect(isAlive(redis!)).toBe(false);
    },
  );

  verifies('OPS-8', 'a child that cannot start stops the start with its own words', async () => {
    const launched = house.start({ BREAK: 'worker' });
    expect(await launched.ended).toBe(1);
    expect(launched.said()).toContain('PORT=x is not a number; for example 4000');
    expect(launched.said()).toContain('worker stopped before all was ready (exit code 3)');
    expect(SERVICES.map((name) => house.pidOf(name))).toEqual([0, 0, 0, 0]);
  });

  verifies('OPS-9', 'shows the settings without starting anything', async () => {
    const launched = house.start({}, ['--print-config']);
    expect(await launched.ended).toBe(0);
    expect(launched.said()).toContain('settings of hub');
    expect(house.journal()).toEqual([]);
  });
});
