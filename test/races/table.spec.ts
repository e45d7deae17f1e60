/** The table of races, a test for each of its rows, on two hubs and two workers. */
import { hasRedisServer } from '../redis/own-redis.js';
import { verifies } from '../spec/verifies.js';
import { Office } from '../stand/office.js';
import { betweenPeople } from './between-people.js';
import { RULES } from './rules.js';
import { withStanding } from './with-standing.js';
import { withTheMachinery } from './with-the-machinery.js';

const START_MS = 300_000;
const RACES = [...betweenPeople, ...withTheMachinery, ...withStanding].toSorted((a, b) => a.row - b.row);

if (!hasRedisServer()) process.stderr.write('races: skipped, no redis-server on this machine\n');
(hasRedisServer() ? describe : describe.skip)('what happens at once', () => {
  let office: Office;
  beforeAll(async () => {
    office = await Office.start({ hubs: 2, workers: 2, rules: RULES, env: { LINGER_MS: '2000' } });
  }, START_MS);
  afterAll(() => office?.stop(), START_MS);

  for (const { row, race, run } of RACES)
    verifies('HUB-100', `race ${row}: ${race}`, () => run(office), START_MS);
});
