/** A built hub on a Redis that is given, with a fault proxy in each of its lines. */
import { join } from 'node:path';
import { freePort, until } from '@triptych/testkit';
import { startTcpProxy, type TcpProxy } from '../redis/tcp-proxy.js';
import { BuiltProcess, type Around } from './built-process.js';

export class Hub {
  private constructor(
    readonly name: string,
    readonly process: BuiltProcess,
    /** For who must not be disturbed. */
    readonly directUrl: string,
    readonly lines: { readonly redis: TcpProxy; readonly clients: TcpProxy; readonly slow: TcpProxy },
  ) {}

  static async start(name: string, around: Around): Promise<Hub> {
    const port = await freePort();
    const directUrl = `http://127.0.0.1:${port}`;
    const redis = await startTcpProxy(around.redisUrl);
    const [clients, slow] = [await startTcpProxy(directUrl), await startTcpProxy(directUrl)];
    const env = { ...around.env, PORT: String(port), REDIS_URL: redis.url };
    const process = new BuiltProcess('dist/apps/hub/src/main.js', env, join(around.dir, `${name}.out`));
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
