/** `npm run crashes -- --times 20 --point vote`: kills hub or worker at every named point so often, and closes with a table of them. */
import { parseArgs } from 'node:util';
import { grouped, playAll, sum } from './plays.mjs';

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '1' },
    point: { type: 'string', default: 'all' },
  },
});

const { code, rows } = await playAll({
  spec: 'test/crashes/crashes.spec.ts',
  reportTo: 'CRASH_REPORT',
  env: { CRASH_TIMES: values.times, CRASH_POINTS: values.point },
});
const lineOf = (own) => ({
  victim: own[0].victim,
  plays: own.length,
  ends: own[0].ends,
  'resumes heard': sum(own, 'heard'),
  'heard twice': own.filter(({ heard }) => heard > 1).length,
  violations: sum(own, 'violations'),
});
console.table(grouped(rows, 'point', lineOf));
process.exitCode = code;
