/** `npm run history -- --seeds 20 --nemesis all --seed 1`: plays histories under faults, and closes with a table of them. */
import { parseArgs } from 'node:util';
import { grouped, playAll, sum } from './plays.mjs';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1' },
    nemesis: { type: 'string', default: 'all' },
    seed: { type: 'string' },
  },
});

const { code, rows } = await playAll({
  spec: 'test/history/history.spec.ts',
  reportTo: 'HISTORY_REPORT',
  env: {
    HISTORY_SEEDS: values.seeds,
    HISTORY_NEMESIS: values.nemesis,
    ...(values.seed === undefined ? {} : { HISTORY_SEED: values.seed }),
  },
});
const lineOf = (own) => ({
  seeds: own.length,
  events: sum(own, 'events'),
  sightings: sum(own, 'sightings'),
  violations: sum(own, 'violations'),
  'bad seeds': own
    .filter((row) => row.violations > 0)
    .map(({ seed }) => seed)
    .join(' '),
});
console.table(grouped(rows, 'nemesis', lineOf));
process.exitCode = code;
