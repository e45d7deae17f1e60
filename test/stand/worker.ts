/** A built worker on a Redis that is given, with a fault proxy in its line. */
import { join } from 'node:path';
import { startTcpProxy, type TcpProxy } from '../redis/tcp-proxy.js';
import { BuiltProcess, type Around } from './built-process.js';

export class Worker {
  private constructor(
    readonly name: string,
    readonly process: BuiltProcess,
    readonly lines: { readonly redis: TcpProxy },
  ) {}

  static async start(name: string, { redisUrl, dir, env }: Around): Promise<Worker> {
    const redis = await startTcpProxy(redisUrl);
    const settings = { ...env, REDIS_URL: redis.url };
    const process = new BuiltProcess('dist/apps/worker/src/main.js', settings, join(dir, `${name}.out`));
    process.spawn();
    return new Worker(name, process, { redis });
  }

  /** It says so itself, once. */
  async ready(): Promise<void> {
    if (!(await this.process.spoke)) throw new Error(`${this.name} is gone:\n${this.process.lastWords()}`);
  }

  async restart(): Promise<void> {
    await this.process.kill();
    this.process.spawn();
    await this.ready();
  }

  async stop(): Promise<void> {
    await this.process.kill();
    await this.lines.redis.stop();
  }
}
