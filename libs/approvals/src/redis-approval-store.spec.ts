/** Runs the suite of the approval store against a real Redis and the embedded one. */
import { ownDatabase } from '@triptych/testkit';
import { closeRedis, connectRedis, createLog } from '@triptych/platform';
import { RedisApprovalStore } from './adapters/redis-approval-store.js';
import { approvalStoreContract, type StoreBench } from './contract.js';

/** Sweeps look at everything that is due in a database, so each suite has one of its own. */
const DATABASE = ownDatabase();
const log = createLog({ level: 'silent' });

const benchAt = async (server: string): Promise<StoreBench> => {
  const url = `${server}/${DATABASE}`;
  const [redis, second, subscriber] = await Promise.all([
    connectRedis(url, 'commands', { log }),
    connectRedis(url, 'commands', { log }),
    connectRedis(url, 'subscriber', { log }),
  ]);
  return {
    redis,
    subscriber,
    store: new RedisApprovalStore(redis),
    other: new RedisApprovalStore(second),
    close: async () => {
      for (const connection of [redis, second, subscriber]) await closeRedis(connection);
    },
  };
};

approvalStoreContract('redis-server', () => benchAt(process.env['REDIS_URL'] as string));
approvalStoreContract('the embedded server', () => benchAt(process.env['EMBEDDED_REDIS_URL'] as string));
