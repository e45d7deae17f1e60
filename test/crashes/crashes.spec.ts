/** Kills hub or worker at every named point. `CRASH_TIMES`, `CRASH_POINTS` and `CRASH_SHARE` choose how often and where. */
import { appendFileSync } from 'node:fs';
import pLimit from 'p-limit';
import { hasRedisServer } from '../redis/own-redis.js';
import { verifies } from '../spec/verifies.js';
import type { Office } from '../stand/office.js';
import { CrashPlay, type Played } from './play.js';
import { pointsNamed, type CrashPoint } from './points.js';
import { startSite } from './site.js';

const TIMES = Number(process.env['CRASH_TIMES'] ?? 1);
const POINTS = pointsNamed(process.env['CRASH_POINTS'] ?? 'all', process.env['CRASH_SHARE']);
/** Plays at once: most of a play is waiting for a lease to lapse. */
const SITES = Math.min(4, POINTS.length * TIMES);
const START_MS = 300_000;
const PLAY_MS = 300_000;

const report = (row: object): void => {
  const file = process.env['CRASH_REPORT'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(row)}\n`);
};

const failed = (error: unknown): Played => ({ problems: [String(error)], heard: NaN });

/** Lends each site to one play at a time. */
class Sites {
  private readonly free: Office[] = [];
  private readonly all: Office[] = [];
  private readonly lane = pLimit(SITES);

  async open(): Promise<void> {
    for (let nth = 0; nth < SITES; nth += 1) {
      const site = await startSite();
      this.all.push(site);
      // Scripts are in the store from now on, so that a crash never meets one being loaded.
      const { problems } = await new CrashPlay(site, undefined).play();
      expect(problems).toEqual([]);
      this.free.push(site);
    }
  }

  play(point: CrashPoint): Promise<Played> {
    return this.lane(async () => {
      const site = this.free.pop();
      if (!site) throw new Error('More plays than sites.');
      const began = performance.now();
      try {
        const played = await new CrashPlay(site, point).play().catch(failed);
        report({
          point: point.name,
          victim: point.victim,
          ends: point.ends,
          heard: played.heard,
          most: point.heard,
          violations: played.problems.length,
          ms: performance.now() - began,
        });
        return played.problems.length === 0 ? played : await this.recovered(site, played);
      } finally {
        this.free.push(site);
      }
    });
  }

  /** A play that went wrong may have left somebody dead, or a trap behind, which is no business of the next one. */
  private async recovered({ house, agent }: Office, played: Played): Promise<Played> {
    const words = house.lastWords();
    agent.watched(() => Promise.resolve());
    for (const each of [...house.hubs, ...house.workers]) {
      each.lines.redis.heal();
      await each.restart();
    }
    return { ...played, problems: [...played.problems, words] };
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((site) => site.stop()));
  }
}

if (!hasRedisServer()) process.stderr.write('crashes: skipped, no redis-server on this machine\n');
(hasRedisServer() ? describe : describe.skip)('a process that is killed', () => {
  const sites = new Sites();
  let plays: ReadonlyMap<string, Promise<readonly Played[]>>;
  beforeAll(async () => {
    await sites.open();
    const playAll = (point: CrashPoint) =>
      Promise.all(Array.from({ length: TIMES }, () => sites.play(point)));
    plays = new Map(POINTS.map((point) => [point.name, playAll(point)]));
  }, START_MS);
  afterAll(async () => {
    await Promise.allSettled(plays?.values() ?? []);
    await sites.close();
  }, PLAY_MS * TIMES);

  for (const { name, victim, ends, heard } of POINTS)
    verifies(
      'HUB-99',
      `${victim} at "${name}": ends ${ends}, its agent has heard ${heard} resume, every screen is whole`,
      async () => {
        const played = (await plays.get(name)) ?? [];
        expect(played.flatMap(({ problems }) => problems)).toEqual([]);
        expect(played).toHaveLength(TIMES);
      },
      PLAY_MS * TIMES,
    );
});
