/** Starts the whole product as a user would (`npm start`), on a port and data of its own, and stops it again. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Surface } from '@triptych/protocol';
import { Redis } from 'ioredis';
import { keepLastWords } from './last-words.js';
import { LastingScreen } from './lasting-screen.js';
import { freePort, isAlive, until } from './processes.js';
import { Screen } from './screen.js';
import type { ThreadBook } from './thread-book.js';

/** A cold machine builds and starts within this. */
const UP_WITHIN_MS = 60_000;
const LOOK_AGAIN_MS = 50;

export type ServiceName = 'hub' | 'worker' | 'scripted-agent' | 'redis';

export interface Person {
  readonly sub: string;
  readonly roles: readonly string[];
  readonly groups?: readonly string[];
  readonly name?: string;
  readonly tenant?: string;
  readonly ttlSeconds?: number;
}

export const AMELIA: Person = { sub: 'amelia', roles: ['customer'], name: 'Amelia Hartmann' };
export const BEN: Person = { sub: 'ben', roles: ['customer'], name: 'Ben Okoro' };
export const TOVE: Person = {
  sub: 'tove',
  roles: ['reviewer'],
  groups: ['advisors', 'refunds', 'travel'],
  name: 'Tove Lindqvist',
};
export const JAN: Person = { sub: 'jan', roles: ['reviewer'], groups: ['advisors'], name: 'Jan Peeters' };
export const MO: Person = { sub: 'mo', roles: ['operator'], name: 'Mo Adeyemi' };

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

const end = async (child: ChildProcess): Promise<void> => {
  if (hasEnded(child)) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
};

const isReady = async (url: string): Promise<boolean> =>
  fetch(`${url}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );

/** The launcher's last words once everything can be used. */
const UP = 'Stop with Ctrl-C.';

/** How the product was started, and what it has said since. */
interface Launch {
  readonly launcher: ChildProcess;
  readonly output: { text: string };
  readonly env: Readonly<Record<string, string>>;
}

export class Product {
  private readonly moreHubs: ChildProcess[] = [];
  private readonly lasting: LastingScreen[] = [];
  private readonly forgetWords = keepLastWords(() => this.said());

  private constructor(
    readonly url: string,
    readonly dataDir: string,
    private readonly launch: Launch,
  ) {}

  static async start(
    env: Readonly<Record<string, string>> = {},
    flags: readonly string[] = [],
  ): Promise<Product> {
    const dataDir = mkdtempSync(join(tmpdir(), 'triptych-product-'));
    const port = await freePort();
    const { REDIS_URL: _shared, ...inherited } = process.env;
    const child = spawn(process.execPath, ['scripts/start.mjs', ...flags], {
      env: { ...inherited, SPEED: '0', LOG_LEVEL: 'info', ...env, PORT: String(port), DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { text: '' };
    child.stdout.on('data', (bytes) => (output.text += String(bytes)));
    child.stderr.on('data', (bytes) => (output.text += String(bytes)));
    const product = new Product(`http://127.0.0.1:${port}`, dataDir, { launcher: child, output, env });
    try {
      await product.ready();
    } catch (error) {
      await product.stop();
      throw error;
    }
    return product;
  }

  said(): string {
    return this.launch.output.text;
  }

  async ready(): Promise<void> {
    const deadline = Date.now() + UP_WITHIN_MS;
    while (!this.said().includes(UP) || !(await isReady(this.url))) {
      if (hasEnded(this.launch.launcher) || Date.now() > deadline) throw new Error(`not up:\n${this.said()}`);
      await pause(LOOK_AGAIN_MS);
    }
  }

  pidOf(service: ServiceName): number {
    return Number(readFileSync(join(this.dataDir, 'run', `${service}.pid`), 'utf8'));
  }

  /** From now on Redis acknowledges only what a sudden death cannot take from it. */
  async losesNothing(): Promise<void> {
    const redis = new Redis(this.redisUrl());
    await redis.config('SET', 'appendfsync', 'always');
    redis.disconnect();
  }

  /** Ends one of our own processes at once, by id; answers when it is gone. */
  async kill(service: ServiceName): Promise<number> {
    const pid = this.pidOf(service);
    process.kill(pid, 'SIGKILL');
    await until(() => !isAlive(pid));
    return pid;
  }

  /** Waits until the launcher has started another in its place. */
  async returned(service: ServiceName, old: number): Promise<void> {
    await until(() => this.pidOf(service) !== old && isAlive(this.pidOf(service)));
    await this.ready();
  }

  async token(person: Person): Promise<string> {
    const { token } = await this.json<{ token: string }>('/v1/dev/token', { body: person });
    return token;
  }

  /** `book`: where the threads stand that another screen followed before. */
  async screen(surface: Surface, person: Person, book?: ThreadBook): Promise<Screen> {
    return Screen.open(this.url, surface, await this.token(person), book);
  }

  /** A screen that outlives its sockets; it ends with the product. */
  lastingScreen(surface: Surface, person: Person): LastingScreen {
    const screen = new LastingScreen((book) => this.screen(surface, person, book));
    this.lasting.push(screen);
    return screen;
  }

  async json<T>(
    path: string,
    asked: { body?: unknown; token?: string; headers?: Record<string, string> } = {},
  ): Promise<T> {
    return (await (await this.fetch(path, asked)).json()) as T;
  }

  /** `hub`: where another of the product's hubs is. */
  fetch(
    path: string,
    asked: { body?: unknown; token?: string; headers?: Record<string, string>; hub?: string } = {},
  ): Promise<Response> {
    const { body, token, headers, hub = this.url } = asked;
    return fetch(`${hub}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** A redis-server notes where it listens; of the built-in one only the launcher tells. */
  redisUrl(): string {
    const noted = join(this.dataDir, 'redis', 'instance.json');
    if (!existsSync(noted)) return this.addressOf('redis');
    const { port } = JSON.parse(readFileSync(noted, 'utf8')) as { port: number };
    return `redis://127.0.0.1:${port}`;
  }

  /** One more hub with the same settings, and what `more` says of its environment, on the same Redis, as behind a load balancer; it ends with the product. */
  async anotherHub(
    more: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly url: string; stop(): Promise<void> }> {
    const port = await freePort();
    const env = {
      ...process.env,
      ...this.launch.env,
      PORT: String(port),
      REDIS_URL: this.redisUrl(),
      SCRIPTED_AGENT_URL: this.addressOf('scripted agent'),
      ...more,
    };
    const child = spawn(process.execPath, ['dist/apps/hub/src/main.js'], { env, stdio: 'ignore' });
    this.moreHubs.push(child);
    const url = `http://127.0.0.1:${port}`;
    await until(async () => {
      if (hasEnded(child)) throw new Error(`The other hub left with ${child.exitCode}.`);
      return isReady(url);
    });
    return { url, stop: () => end(child) };
  }

  async stop(): Promise<void> {
    await Promise.all(this.lasting.map((screen) => screen.close()));
    await Promise.all(this.moreHubs.map(end));
    await end(this.launch.launcher);
    rmSync(this.dataDir, { recursive: true, force: true });
    this.forgetWords();
  }

  /** As the launcher's welcome tells it. */
  addressOf(part: string): string {
    const address = new RegExp(`^ +${part} +(\\w+://\\S+)`, 'mu').exec(this.said())?.[1];
    if (address === undefined) throw new Error(`The launcher told no address of ${part}:\n${this.said()}`);
    return address;
  }
}
