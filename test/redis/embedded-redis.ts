/** The embedded Redis as the launcher runs it: a process of its own. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export interface EmbeddedRedis {
  readonly url: string;
  stop(): Promise<void>;
}

export const startEmbeddedRedis = async (): Promise<EmbeddedRedis> => {
  const dir = mkdtempSync(join(tmpdir(), 'embedded-redis-'));
  // No inherited flags: the test runner's are not for it.
  const child = fork(resolve('scripts/embedded-redis.mjs'), [dir, '0'], { execArgv: [] });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
      rmSync(dir, { recursive: true, force: true });
    },
  };
};
