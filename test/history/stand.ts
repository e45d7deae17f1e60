/** What a history plays on: several built hubs and a worker on one Redis of their own, every line behind a fault proxy. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, until } from '@triptych/testkit';
import { startOwnRedis, type OwnRedis } from '../redis/own-redis.js';
import { startTcpProxy, type TcpProxy } from '../redis/tcp-proxy.js';
import { ENGINE, issuer, type Issuer } from './issuer.js';
import { STORY_POLICY } from './story.js';
import { startStoryAgent, type StoryAgent } from './story-agent.js';

/** The checker's own clients are many, and none of them is a stranger. */
const WIDE_LIMITS = { MAX_SOCKETS_PER_SUBJECT: '1000', RATE_RUNS: '10000', RATE_FRAMES: '1000' };
const LEAVES_WITH_US = new URL('../../scripts/leave-with-launcher.mjs', import.meta.url).href;
/** How much of a process's last words is shown. */
const LAST_WORDS_CHARS = 2_000;

class Process {
  private child: ChildProcess | undefined;

  constructor(
    private readonly main: string,
    private readonly env: Readonly<Record<string, string>>,
    readonly outputFile: string,
  ) {}

  spawn(): void {
    const output = openSync(this.outputFile, 'a');
    this.child = spawn(process.execPath, ['--import', LEAVES_WITH_US, this.main], {
      env: { PATH: process.env['PATH'] ?? '', ...this.env },
      stdio: ['ignore', output, output, 'ipc'],
    });
    closeSync(output);
  }

  get isOver(): boolean {
    return this.child === undefined || this.child.exitCode !== null || this.child.signalCode !== null;
  }

  signal(name: NodeJS.Signals): void {
    this.child?.kill(name);
  }

  async kill(): Promise<void> {
    if (this.isOver) return;
    const gone = once(this.child as ChildProcess, 'exit');
    this.signal('SIGKILL');
    await gone;
  }

  lastWords(): string {
    return readFileSync(this.outputFile, 'utf8').slice(-LAST_WORDS_CHARS);
  }
}

export class Hub {
  private constructor(
    readonly name: string,
    readonly process: Process,
    /** For who must not be disturbed. */
    readonly directUrl: string,
    readonly lines: { readonly redis: TcpProxy; readonly clients: TcpProxy; readonly slow: TcpProxy },
  ) {}

  static async start(name: string, around: { redisUrl: string; dir: string; env: Record<string, string> }) {
    const port = await freePort();
    const directUrl = `http://127.0.0.1:${port}`;
    const redis = await startTcpProxy(around.redisUrl);
    const [clients, slow] = [await startTcpProxy(directUrl), await startTcpProxy(directUrl)];
    const env = { ...around.env, PORT: String(port), REDIS_URL: redis.url };
    const process = new Process('dist/apps/hub/src/main.js', env, join(around.dir, `${name}.out`));
    const hub = new Hub(name, process, directUrl, { redis, clients, slow });
    process.spawn();
    return hub;
  }

  get url(): string {
    return this.lines.clients.url;
  }

  async ready(): Promise<void> {
    await until(async () => {
      if (this.process.isOver) throw new Error(`${this.name} is gone:\n${this.process.lastWords()}`);
      return fetch(`${this.directUrl}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    });
  }

  async restart(): Promise<void> {
    await this.process.kill();
    this.process.spawn();
    await this.ready();
  }

  async stop(): Promise<void> {
    await this.process.kill();
    await Promise.all(Object.values(this.lines).map((line) => line.stop()));
  }
}

export interface Stand {
  readonly redis: OwnRedis;
  readonly hubs: readonly Hub[];
  readonly agent: StoryAgent;
  readonly issuer: Issuer;
  /** What hubs and worker said; kept when something went wrong. */
  readonly dir: string;
  stop(): Promise<void>;
}

const AGENT = (url: string): string => `
agents:
  - id: story
    connect: { type: http, url: '${url}' }
    roles: [customer, operator]
  - id: ${ENGINE}
    connect: { type: push }
    roles: [customer, operator]
`;

const openStand = async (hubCount: number, dir: string, closers: (() => Promise<void>)[]): Promise<Stand> => {
  const redis = await startOwnRedis('hasty');
  closers.push(() => redis.stop());
  const agent = await startStoryAgent();
  closers.push(() => agent.stop());
  writeFileSync(join(dir, 'agents.yaml'), AGENT(agent.url));
  writeFileSync(join(dir, 'policy.yaml'), STORY_POLICY);
  const tokens = await issuer();
  const files = { AGENTS_FILE: join(dir, 'agents.yaml'), POLICY_FILE: join(dir, 'policy.yaml') };
  const env = { ...WIDE_LIMITS, ...tokens.env, ...files, LOG_LEVEL: 'info', DATA_DIR: dir };
  const worker = new Process(
    'dist/apps/worker/src/main.js',
    { ...env, REDIS_URL: redis.url },
    join(dir, 'worker.out'),
  );
  worker.spawn();
  closers.push(() => worker.kill());
  const hubs: Hub[] = [];
  for (let nth = 1; nth <= hubCount; nth += 1) {
    const hub = await Hub.start(`hub-${nth}`, { redisUrl: redis.url, dir, env });
    hubs.push(hub);
    closers.push(() => hub.stop());
  }
  await Promise.all(hubs.map((hub) => hub.ready()));
  return { redis, hubs, agent, issuer: tokens, dir, stop: async () => undefined };
};

export const startStand = async (hubCount: number): Promise<Stand> => {
  const dir = mkdtempSync(join(tmpdir(), 'triptych-history-'));
  const closers: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close();
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    return { ...(await openStand(hubCount, dir, closers)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
