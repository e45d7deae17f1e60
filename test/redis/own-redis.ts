/** A redis-server that one spec owns, so that it may be killed and come back on its port with its file. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@triptych/testkit';

export interface OwnRedis {
  readonly url: string;
  readonly pid: number;
  /** Dies as in a power cut. */
  kill(): Promise<void>;
  /** Back on the same port with what its file holds. */
  start(): Promise<void>;
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  stop(): Promise<void>;
}

/** False where no redis-server is installed; suites that need to kill one say so and skip. */
export const hasRedisServer = (): boolean => spawnSync('redis-server', ['--version']).status === 0;

const spawnServer = async (port: number, dir: string, appendonly: string): Promise<ChildProcess> => {
  const options = { port, bind: '127.0.0.1', dir, appendonly, appendfsync: 'always', save: '' };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const stdout = child.stdout;
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`redis-server left with ${code}`)));
    stdout.on('data', (bytes) => {
      if (String(bytes).includes('Ready to accept')) resolve();
    });
  });
  return child;
};

/** Keeps every acknowledged write; `forgetful`, none. */
export const startOwnRedis = async (memory: 'safe' | 'forgetful' = 'safe'): Promise<OwnRedis> => {
  const appendonly = memory === 'safe' ? 'yes' : 'no';
  const port = await freePort();
  const dir = mkdtempSync(join(tmpdir(), 'own-redis-'));
  let child = await spawnServer(port, dir, appendonly);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    get pid() {
      return child.pid ?? 0;
    },
    kill: () => end('SIGKILL'),
    start: async () => {
      child = await spawnServer(port, dir, appendonly);
    },
    signal: (name) => void child.kill(name),
    stop: async () => {
      await end('SIGKILL');
      rmSync(dir, { recursive: true, force: true });
    },
  };
};
