/** Plays histories on real hubs under every nemesis. `HISTORY_SEED`, `HISTORY_SEEDS` and `HISTORY_NEMESIS` choose which. */
import { randomInt } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { hasRedisServer } from '../redis/own-redis.js';
import { verifies } from '../spec/verifies.js';
import { judge } from './judge.js';
import { nemesesNamed, type Nemesis } from './nemeses.js';
import { Play } from './play.js';
import { startStand, type Stand } from './stand.js';

const HUBS = 3;
const FIRST_SEED = Number(process.env['HISTORY_SEED'] ?? randomInt(1_000_000));
const SEEDS = Number(process.env['HISTORY_SEEDS'] ?? 1);
/** In every run of the tests; the others take longer and run on demand. */
const SHORT = 'unruly-batches,kill-hub,torn-frames,kill-pubsub,redis-goes-back';
const NEMESES = nemesesNamed(process.env['HISTORY_NEMESIS'] ?? SHORT);
const STAND_MS = 60_000;
const SEED_MS = 900_000;
const SHOWN_VIOLATIONS = 8;

const say = (text: string): boolean => process.stderr.write(`${text}\n`);

let stand: Stand;

const report = (row: object): void => {
  const file = process.env['HISTORY_REPORT'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(row)}\n`);
};

const playSeed = async (nemesis: Nemesis, seed: number): Promise<readonly string[]> => {
  const began = Date.now();
  const { history, problems } = await new Play(stand, nemesis, String(seed)).play();
  const found = [...problems, ...judge(history).map(({ invariant, what }) => `${invariant} ${what}`)];
  const events = history.logs.reduce((sum, { entries }) => sum + entries.length, 0);
  const sightings = history.books.reduce((sum, { notes }) => sum + notes.length, 0);
  const seconds = Math.round((Date.now() - began) / 1_000);
  const row = { nemesis: nemesis.name, seed, events, sightings, seconds, violations: found.length };
  report(row);
  say(
    `history ${Object.entries(row)
      .map((pair) => pair.join(' '))
      .join(', ')}`,
  );
  for (const what of found.slice(0, SHOWN_VIOLATIONS)) say(`  ${what}`);
  return found;
};

if (!hasRedisServer()) say('history: skipped, no redis-server to kill on this machine');
const suite = hasRedisServer() ? describe : describe.skip;

suite(`histories from seed ${FIRST_SEED}`, () => {
  beforeAll(async () => {
    stand = await startStand(HUBS);
    say(`history: played again with HISTORY_SEED=${FIRST_SEED}`);
  }, STAND_MS);
  afterAll(async () => {
    await stand?.stop();
  }, STAND_MS);

  for (const nemesis of NEMESES) {
    verifies(
      'OPS-22',
      `${nemesis.name}: whole, in order, once, and nothing hidden`,
      async () => {
        const found: string[] = [];
        for (let nth = 0; nth < SEEDS; nth += 1)
          for (const what of await playSeed(nemesis, FIRST_SEED + nth))
            found.push(`seed ${FIRST_SEED + nth}: ${what}`);
        expect(found).toEqual([]);
      },
      SEED_MS * SEEDS,
    );
  }
});
