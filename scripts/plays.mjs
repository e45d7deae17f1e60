/** Runs a spec that plays something many times and reports each play as a line of JSON; gives its exit code and the rows. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './processes.mjs';

/** `reportTo`: the variable that tells the spec where to write its rows. */
export const playAll = async ({ spec, env, reportTo }) => {
  const dir = mkdtempSync(join(tmpdir(), 'triptych-plays-'));
  const report = join(dir, 'report.jsonl');
  try {
    writeFileSync(report, '');
    const child = spawn(process.execPath, ['scripts/test.mjs', spec], {
      cwd: root,
      env: { ...process.env, ...env, [reportTo]: report },
      stdio: 'inherit',
    });
    const forward = (name) => process.once(name, () => child.kill(name));
    for (const name of ['SIGINT', 'SIGTERM']) forward(name);
    const [code] = await once(child, 'exit');
    const lines = readFileSync(report, 'utf8').split('\n').filter(Boolean);
    return { code: code ?? 1, rows: lines.map((line) => JSON.parse(line)) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
};

export const sum = (rows, key) => rows.reduce((total, row) => total + row[key], 0);

/** One line for each value of a column, made of its rows. */
export const grouped = (rows, key, lineOf) =>
  [...new Set(rows.map((row) => row[key]))].map((value) => ({
    [key]: value,
    ...lineOf(rows.filter((row) => row[key] === value)),
  }));
