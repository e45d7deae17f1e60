/** What one process knows of revocations when its store has lost some and has others that it never heard of. */
import { randomUUID } from 'node:crypto';
import type { Actor } from '@triptych/access';
import { closeRedis, connectRedis, createLog, systemClock } from '@triptych/platform';
import { verifies } from '../../../test/spec/verifies.js';
import { KnownRevocations } from './known-revocations.js';
import { RevocationStore } from './revocation-store.js';

const log = createLog({ level: 'silent' });
const HOUR_MS = 3_600_000;

verifies(
  'HUB-132',
  'what a store kept is read in the same look that gives it back what it lost',
  async () => {
    const redis = await connectRedis(process.env['REDIS_URL'] as string, 'commands', { log });
    const store = new RevocationStore(redis);
    const known = new KnownRevocations({ store, clock: systemClock, log });
    const tenant = randomUUID();
    const nameOf = (subject: string) => ({ tenant, by: 'sub', name: subject }) as const;
    const actorOf = (subject: string): Actor => ({
      ...{ subject, tenant, roles: ['customer'], groups: [] },
      ...{ issuedAt: Date.now() - HOUR_MS, expiresAt: Date.now() + HOUR_MS },
    });
    // Told by another, and not heard of here.
    await store.add(nameOf('ada'));
    expect((await known.revoke(nameOf('ben'))).ok).toBe(true);
    await redis.zrem('tt:revoked', JSON.stringify([tenant, 'sub', 'ben']));
    const judge = await known.standing();
    expect([judge(actorOf('ada')).ok, judge(actorOf('ben')).ok]).toEqual([false, false]);
    const kept = (await store.after(0)).filter((each) => each.tenant === tenant);
    expect(kept.map(({ name }) => name)).toEqual(['ada', 'ben']);
    await closeRedis(redis);
  },
);
