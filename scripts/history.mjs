/** `npm run history -- --seeds 20 --nemesis all --seed 1`: plays histories under faults, and closes with a table of them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './processes.mjs';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1' },
    nemesis: { type: 'string', default: 'all' },
    seed: { type: 'string' },
  },
});

const sum = (rows, key) => rows.reduce((total, row) => total + row[key], 0);

const tableOf = (rows) =>
  [...new Set(rows.map(({ nemesis }) => nemesis))].map((nemesis) => {
    const own = rows.filter((row) => row.nemesis === nemesis);
    return {
      nemesis,
      seeds: own.length,
      events: sum(own, 'events'),
      sightings: sum(own, 'sightings'),
      violations: sum(own, 'violations'),
      'bad seeds': own
        .filter((row) => row.violations > 0)
        .map(({ seed }) => seed)
        .join(' '),
    };
  });

const dir = mkdtempSync(join(tmpdir(), 'triptych-histories-'));
const report = join(dir, 'report.jsonl');
try {
  writeFileSync(report, '');
  const env = {
    ...process.env,
    HISTORY_SEEDS: values.seeds,
    HISTORY_NEMESIS: values.nemesis,
    HISTORY_REPORT: report,
    ...(values.seed === undefined ? {} : { HISTORY_SEED: values.seed }),
  };
  const child = spawn(process.execPath, ['scripts/test.mjs', 'test/history/history.spec.ts'], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
  const forward = (name) => process.once(name, () => child.kill(name));
  for (const name of ['SIGINT', 'SIGTERM']) forward(name);
  const [code] = await once(child, 'exit');
  const rows = readFileSync(report, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  console.table(tableOf(rows));
  process.exitCode = code ?? 1;
} finally {
  rmSync(dir, { recursive: true, force: true });
}
