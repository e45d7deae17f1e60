/** A redis-server that one spec owns, so that it may be killed and come back on its port with its file. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
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
  /** Keeps aside what its file holds now. */
  remember(): void;
  /** Dies, and comes back with no more than it remembered: what it acknowledged since is lost. */
  goBack(): Promise<void>;
  stop(): Promise<void>;
}

/** False where no redis-server is installed; suites that need to kill one say so and skip. */
export const hasRedisServer = (): boolean => spawnSync('redis-server', ['--version']).status === 0;

/** `safe` keeps every acknowledged write, `hasty` syncs each second as most do, `forgetful` keeps none. */
export type Memory = 'safe' | 'hasty' | 'forgetful';

const MEMORIES: Readonly<Record<Memory, Readonly<Record<string, string>>>> = {
  safe: { appendonly: 'yes', appendfsync: 'always' },
  hasty: { appendonly: 'yes', appendfsync: 'everysec' },
  forgetful: { appendonly: 'no' },
};

/** What a server is started with: its environment may hold what is to be loaded before it. */
interface Start {
  readonly port: number;
  readonly dir: string;
  readonly memory: Memory;
  readonly env: Readonly<Record<string, string>>;
}

const spawnServer = async ({ port, dir, memory, env }: Start): Promise<ChildProcess> => {
  const options = { port, bind: '127.0.0.1', dir, save: '', ...MEMORIES[memory] };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn('redis-server', args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const stdout = child.stdout;
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`redis-server left with ${code}`)));
    stdout.on('data', (bytes) => {
      if (String(bytes).includes('Ready to accept')) resolve();
    });
  });
  return child;
};

export const startOwnRedis = async (memory: Memory = 'safe', env: Start['env'] = {}): Promise<OwnRedis> => {
  const port = await freePort();
  const dir = mkdtempSync(join(tmpdir(), 'own-redis-'));
  const start = { port, dir, memory, env };
  let child = await spawnServer(start);
  const kept = `${dir}-kept`;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  };
  const comeBack = async (): Promise<void> => {
    child = await spawnServer(start);
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    get pid() {
      return child.pid ?? 0;
    },
    kill: () => end('SIGKILL'),
    start: comeBack,
    signal: (name) => void child.kill(name),
    remember: () => {
      rmSync(kept, { recursive: true, force: true });
      cpSync(dir, kept, { recursive: true });
    },
    goBack: async () => {
      await end('SIGKILL');
      rmSync(dir, { recursive: true, force: true });
      cpSync(kept, dir, { recursive: true });
      await comeBack();
    },
    stop: async () => {
      await end('SIGKILL');
      for (const each of [dir, kept]) rmSync(each, { recursive: true, force: true });
    },
  };
};
