/** Runs the suites of trails and of checkpoints against all there are. */
import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeRedis, connectRedis, createLog } from '@triptych/platform';
import { CheckpointFiles } from './adapters/checkpoint-files.js';
import { RedisSealedTrail } from './adapters/redis-sealed-trail.js';
import { RedisTrailStore } from './adapters/redis-trail-store.js';
import { checkpointBookContract, trailStoreContract, type BookBench, type TrailBench } from './contract.js';

const log = createLog({ level: 'silent' });

const benchAt = async (url: string): Promise<TrailBench> => {
  const redis = await connectRedis(url, 'commands', { log });
  return {
    redis,
    store: new RedisTrailStore(redis),
    trail: new RedisSealedTrail(redis),
    close: () => closeRedis(redis),
  };
};

trailStoreContract('redis-server', () => benchAt(process.env['REDIS_URL'] as string));
trailStoreContract('the embedded server', () => benchAt(process.env['EMBEDDED_REDIS_URL'] as string));

const filesBench = (): BookBench => {
  const folder = mkdtempSync(join(tmpdir(), 'triptych-checkpoints-'));
  return {
    book: new CheckpointFiles(join(folder, 'audit')),
    tear: (tenant, bytes) => {
      const name = readdirSync(join(folder, 'audit')).find((file) => file.startsWith(`${tenant}.`)) ?? '';
      const file = join(folder, 'audit', name);
      truncateSync(file, statSync(file).size - bytes);
    },
    close: () => rmSync(folder, { recursive: true }),
  };
};

checkpointBookContract('files', filesBench);
