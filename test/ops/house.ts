/** A launcher with stand-in programs in a folder of its own, to see it start, mend and end processes. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort, isAlive, until } from '@triptych/testkit';

export { freePort as anyFreePort, isAlive, until };

const root = process.cwd();

/** Notes its start and its end; at its end it tells whether Redis still answers. */
const STAND_IN = `
import { appendFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
const name = import.meta.filename.split('/').at(-3);
const note = (text) => appendFileSync(process.env.JOURNAL, name + ' ' + text + '\\n');
const redisAnswers = () => new Promise((said) => {
  if (!process.env.REDIS_URL) return said('no redis asked');
  const { port } = new URL(process.env.REDIS_URL);
  const socket = net.connect(Number(port), '127.0.0.1', () => socket.write('PING\\r\\n'));
  socket.on('data', () => said('redis answered'));
  socket.on('error', () => said('redis was away'));
});
process.on('SIGTERM', async () => { note('ended, ' + (await redisAnswers())); process.exit(0); });
if (process.argv.includes('--print-config')) { console.log('settings of ' + name); process.exit(0); }
if (process.env.BREAK === name) { console.error('PORT=x is not a number; for example 4000'); process.exit(3); }
note('began');
if (name === 'worker') { process.send?.('ready'); setInterval(() => {}, 1000); }
else http.createServer((_, answer) => answer.end('ok')).listen(Number(process.env.PORT), process.env.HOST);
`;

export interface House {
  readonly dir: string;
  readonly dataDir: string;
  readonly port: number;
  start(env?: Readonly<Record<string, string>>, args?: readonly string[]): Launched;
  pidOf(service: string): number;
  journal(): readonly string[];
  remove(): void;
}
export interface Launched {
  readonly child: ChildProcess;
  /** All that was printed so far. */
  said(): string;
  /** Waits until it prints this, or ends. */
  until(text: string): Promise<void>;
  readonly ended: Promise<number | null>;
}

const launch = (house: { dir: string; env: NodeJS.ProcessEnv }, args: readonly string[]): Launched => {
  const child = spawn(process.execPath, ['scripts/start.mjs', ...args], { cwd: house.dir, env: house.env });
  let text = '';
  child.stdout.on('data', (bytes) => (text += String(bytes)));
  child.stderr.on('data', (bytes) => (text += String(bytes)));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    child,
    ended,
    said: () => text,
    until: (words) => until(() => text.includes(words) || child.exitCode !== null),
  };
};

const endLeftovers = (dataDir: string): void => {
  for (const service of ['hub', 'worker', 'scripted-agent', 'redis']) {
    const pid = readPid(dataDir, service);
    if (pid && isAlive(pid)) process.kill(pid, 'SIGKILL');
  }
};
const readPid = (dataDir: string, service: string): number => {
  const file = join(dataDir, 'run', `${service}.pid`);
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
};

/** Scripts are the real ones; only the programs they start are stand-ins. */
export const buildHouse = async (): Promise<House> => {
  const dir = mkdtempSync(join(tmpdir(), 'triptych-house-'));
  const dataDir = join(dir, 'data');
  const journal = join(dir, 'journal');
  const port = await freePort();
  cpSync(join(root, 'scripts'), join(dir, 'scripts'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'));
  writeFileSync(join(dir, 'package.json'), '{"type":"module"}');
  for (const app of ['hub', 'worker', 'scripted-agent']) {
    const main = join(dir, `dist/apps/${app}/src/main.js`);
    mkdirSync(dirname(main), { recursive: true });
    writeFileSync(main, STAND_IN);
  }
  const launchers: ChildProcess[] = [];
  const base = { ...process.env, JOURNAL: journal, DATA_DIR: dataDir, PORT: String(port), HOST: '127.0.0.1' };
  return {
    dir,
    dataDir,
    port,
    start: (env = {}, args = []) => {
      const launched = launch({ dir, env: { ...base, REDIS_URL: '', ...env } }, args);
      launchers.push(launched.child);
      return launched;
    },
    pidOf: (service) => readPid(dataDir, service),
    journal: () => (existsSync(journal) ? readFileSync(journal, 'utf8').trim().split('\n') : []),
    remove: () => {
      // Launchers first: one left by a failed test would raise its programs again, for ever.
      for (const launcher of launchers) launcher.kill('SIGKILL');
      endLeftovers(dataDir);
      rmSync(dir, { recursive: true, force: true });
    },
  };
};

/** The reply of a Redis to one inline command, through redis' own protocol. */
export const redisCli = (port: number, ...command: string[]): string =>
  spawnSync(process.execPath, ['-e', CLI, String(port), ...command], { encoding: 'utf8' }).stdout.trim();
const CLI = `
const [port, ...command] = process.argv.slice(1);
const socket = require('net').connect(Number(port), '127.0.0.1', () => socket.write(command.join(' ') + '\\r\\nQUIT\\r\\n'));
socket.on('data', (bytes) => process.stdout.write(bytes));
`;
