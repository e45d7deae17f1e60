/**
 * `npm run crashes -- --times 20 --point vote --share 1/3`: kills hub or worker at every named point so often, and closes
 * with a table of them. Shares of the same whole may be played on several machines.
 */
import { parseArgs } from 'node:util';
import { grouped, playAll, sum } from './plays.mjs';

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '1' },
    point: { type: 'string', default: 'all' },
    share: { type: 'string', default: '1/1' },
  },
});

const { code, rows } = await playAll({
  spec: 'test/crashes/crashes.spec.ts',
  reportTo: 'CRASH_REPORT',
  env: { CRASH_TIMES: values.times, CRASH_POINTS: values.point, CRASH_SHARE: values.share },
});
const lineOf = (own) => ({
  victim: own[0].victim,
  plays: own.length,
  ends: own[0].ends,
  'resumes heard': sum(own, 'heard'),
  'heard too often': own.filter(({ heard, most }) => heard > most).length,
  violations: sum(own, 'violations'),
  'longest, s': Math.round(Math.max(...own.map(({ ms }) => ms)) / 1_000),
});
console.table(grouped(rows, 'point', lineOf));
process.exitCode = code;
