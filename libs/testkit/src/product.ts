/** Starts the whole product as a user would (`npm start`), on a port and data of its own, and stops it again. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Surface } from '@triptych/protocol';
import { Screen } from './screen.js';

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

export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

/** Looks again and again until it is so; the test's own time limit is the only clock. */
export const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await pause(LOOK_AGAIN_MS);
};

export class Product {
  private constructor(
    readonly url: string,
    readonly dataDir: string,
    private readonly launcher: ChildProcess,
    private readonly output: { text: string },
  ) {}

  static async start(env: Readonly<Record<string, string>> = {}): Promise<Product> {
    const dataDir = mkdtempSync(join(tmpdir(), 'triptych-product-'));
    const port = await freePort();
    const { REDIS_URL: _shared, ...inherited } = process.env;
    const child = spawn(process.execPath, ['scripts/start.mjs'], {
      env: { ...inherited, SPEED: '0', LOG_LEVEL: 'info', ...env, PORT: String(port), DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { text: '' };
    child.stdout.on('data', (bytes) => (output.text += String(bytes)));
    child.stderr.on('data', (bytes) => (output.text += String(bytes)));
    const product = new Product(`http://127.0.0.1:${port}`, dataDir, child, output);
    await product.ready();
    return product;
  }

  said(): string {
    return this.output.text;
  }

  async ready(): Promise<void> {
    const deadline = Date.now() + UP_WITHIN_MS;
    for (;;) {
      const ok = await fetch(`${this.url}/health/ready`).then(
        ({ ok: yes }) => yes,
        () => false,
      );
      if (ok) return;
      if (this.launcher.exitCode !== null || Date.now() > deadline)
        throw new Error(`not up:\n${this.said()}`);
      await pause(LOOK_AGAIN_MS);
    }
  }

  pidOf(service: ServiceName): number {
    return Number(readFileSync(join(this.dataDir, 'run', `${service}.pid`), 'utf8'));
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

  async screen(surface: Surface, person: Person): Promise<Screen> {
    return Screen.open(this.url, surface, await this.token(person));
  }

  async json<T>(
    path: string,
    asked: { body?: unknown; token?: string; headers?: Record<string, string> } = {},
  ): Promise<T> {
    return (await (await this.fetch(path, asked)).json()) as T;
  }

  fetch(
    path: string,
    asked: { body?: unknown; token?: string; headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const { body, token, headers } = asked;
    return fetch(`${this.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  redisUrl(): string {
    return `redis://127.0.0.1:${/redis:\/\/127\.0\.0\.1:(\d+)/u.exec(this.said())?.[1] ?? ''}`;
  }

  /** One more hub on the same Redis, as behind a load balancer. */
  async anotherHub(): Promise<{ readonly url: string; stop(): Promise<void> }> {
    const port = await freePort();
    const agent = /scripted agent\s+(http\S+)/u.exec(this.said())?.[1] ?? '';
    const env = { ...process.env, PORT: String(port), REDIS_URL: this.redisUrl(), SCRIPTED_AGENT_URL: agent };
    const child = spawn(process.execPath, ['dist/apps/hub/src/main.js'], { env, stdio: 'ignore' });
    const url = `http://127.0.0.1:${port}`;
    await until(() =>
      fetch(`${url}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    const stop = async (): Promise<void> => {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    };
    return { url, stop };
  }

  async stop(): Promise<void> {
    if (this.launcher.exitCode === null) {
      const gone = once(this.launcher, 'exit');
      this.launcher.kill('SIGTERM');
      await gone;
    }
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
