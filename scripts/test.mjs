/** `npm test`: builds what the end-to-end tests start, runs Jest, and closes with one line a machine can read. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { root } from './processes.mjs';
import { onPath } from './redis-server.mjs';

/** Suites start hubs and browsers of their own; more at once starves them on a small machine. */
const MAX_WORKERS = 2;
const NODE_FLAGS = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];

/** What some suites need and this machine lacks: they skip, and here is why. */
const skipReasons = () =>
  [
    onPath('redis-server', 'valkey-server')
      ? ''
      : 'no redis-server: suites that kill or fill a real one skip',
    process.env.CHROMIUM_PATH || onPath('chromium', 'chromium-browser', 'google-chrome')
      ? ''
      : 'no chromium (CHROMIUM_PATH or PATH): browser journeys skip',
  ].filter(Boolean);

const runJest = async (args, report) => {
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const fixed = ['--json', `--outputFile=${report}`, `--maxWorkers=${MAX_WORKERS}`];
  const child = spawn(process.execPath, [...NODE_FLAGS, jest, ...fixed, ...args], {
    cwd: root,
    // --json prints the whole report on stdout; people read stderr.
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const forward = (name) => process.once(name, () => child.kill(name));
  for (const name of ['SIGINT', 'SIGTERM']) forward(name);
  const [code] = await once(child, 'exit');
  return code ?? 1;
};

/** A suite that could not even run counts as one failure: its tests are in no number. */
const countsOf = (report) => {
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 };
  const found = JSON.parse(readFileSync(report, 'utf8'));
  return {
    passed: found.numPassedTests,
    failed: found.numFailedTests + found.numRuntimeErrorTestSuites,
    skipped: found.numPendingTests + found.numTodoTests,
  };
};

const main = async () => {
  const dir = mkdtempSync(join(tmpdir(), 'triptych-test-'));
  try {
    ensureBuilt({ log: console.log });
    for (const reason of skipReasons()) console.log(reason);
    const report = join(dir, 'report.json');
    const code = await runJest(process.argv.slice(2), report);
    const { passed, failed, skipped } = countsOf(report);
    console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
    return code !== 0 || failed > 0 || passed === 0 ? 1 : 0;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
};

process.exitCode = await main();
