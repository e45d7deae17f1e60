/** Proves the pure rules of the platform: delays, store errors, the judgement of a Redis, thread tags, tenant news. */
import { createHash } from 'node:crypto';
import { StoreAway } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import { nextDelay } from './next-delay.js';
import { asStoreAway } from './store-away.js';
import { judgeStore } from './store-check.js';
import {
  parseTenantNews,
  TENANT_CHANNELS,
  tenantChannel,
  tenantNewsText,
  tenantOfChannel,
  type TenantNews,
} from './tenant-news.js';
import { taggedKey, threadKey, threadTag } from './thread-tag.js';
import { timeToMs } from './time-to-ms.js';

describe('platform rules', () => {
  verifies('PLT-6', 'waits are random below a ceiling that doubles up to the cap', () => {
    const bounds = { baseMs: 100, capMs: 1_000 };
    const almostOne = (): number => 0.999_999;
    const ceilings = [1, 2, 3, 4, 5, 60].map((attempt) => nextDelay(attempt, almostOne, bounds));
    expect(ceilings).toEqual([99, 199, 399, 799, 999, 999]);
    expect(nextDelay(3, () => 0.5, bounds)).toBe(200);
    expect(nextDelay(3, () => 0, bounds)).toBe(10);
  });

  for (const message of [
    'LOADING Redis is loading the dataset in memory',
    "OOM command not allowed when used memory > 'maxmemory'.",
    "READONLY You can't write against a read only replica.",
    'MISCONF Errors writing to the AOF file: No space left on device',
    'Connection is closed.',
    "Stream isn't writeable and enableOfflineQueue options is false",
    'Command timed out',
  ]) {
    verifies('PLT-8', `the store is away when it says: ${message.slice(0, 40)}`, () => {
      expect(asStoreAway(new Error(message))).toBeInstanceOf(StoreAway);
    });
  }

  verifies(
    'PLT-8',
    'a refused connection is the store away; a wrong command is a bug and stays what it is',
    () => {
      const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
      expect(asStoreAway(refused)).toMatchObject({ name: 'StoreAway', cause: refused });
      for (const error of [new Error('WRONGTYPE Operation'), new Error('BUSYGROUP exists'), 'text']) {
        expect(asStoreAway(error)).toBe(error);
      }
    },
  );

  verifies('PLT-11', 'an old Redis is refused, a careless one warned of', () => {
    const info = 'redis_version:7.0.15\r\nos:Linux 6.1\r\n';
    const safe = { info, maxmemoryPolicy: 'noeviction', appendonly: 'yes' };
    expect(judgeStore(safe)).toEqual({ usable: true, embedded: false, warnings: [] });
    expect(judgeStore({ ...safe, info: 'redis_version:6.2.1\r\n' })).toMatchObject({ usable: false });
    expect(judgeStore({ ...safe, info: '' })).toMatchObject({ usable: false });
    expect(judgeStore({ ...safe, info: 'redis_version:10.0.0\r\n' })).toMatchObject({ usable: true });
    const warned = judgeStore({ ...safe, maxmemoryPolicy: 'allkeys-lru', appendonly: 'no' });
    expect(warned.usable && warned.warnings.join()).toMatch(/allkeys-lru.*appendonly is off/s);
    const blind = judgeStore({ info });
    expect(blind.usable && blind.warnings).toHaveLength(1);
    const embedded = judgeStore({ info: 'redis_version:8.0.0\r\nos:mocked redis\r\n', appendonly: 'no' });
    expect(embedded).toMatchObject({
      usable: true,
      embedded: true,
      warnings: [expect.stringMatching(/embedded/)],
    });
  });

  verifies('PLT-16', 'the keys of a thread share one tag', () => {
    const digest = createHash('sha256').update('bank-7').digest('base64url');
    expect(threadTag('bank-7')).toBe(digest.slice(0, 22));
    expect(threadKey('bank-7', 'log')).toBe(`tt:{${threadTag('bank-7')}}:log`);
    expect(taggedKey(threadTag('bank-7'), 'log')).toBe(threadKey('bank-7', 'log'));
  });

  verifies('PLT-18', 'news comes back as it was told, on its tenant’s channel', () => {
    const told: readonly TenantNews[] = [
      { kind: 'task', taskId: 'a.b.c' },
      { kind: 'thread', threadId: 't', status: 'waiting' },
      { kind: 'thread', threadId: 't', status: 'running', activeRunId: 'r' },
    ];
    for (const news of told) expect(parseTenantNews(tenantNewsText(news))).toEqual(news);
    expect(tenantOfChannel(tenantChannel('bank:7'))).toBe('bank:7');
    expect(tenantChannel('bank').startsWith(TENANT_CHANNELS.slice(0, -1))).toBe(true);
  });

  verifies('PLT-18', 'anything else on the channel is no news', () => {
    const strange: readonly unknown[] = [
      null,
      7,
      [],
      { kind: 'weather' },
      { kind: 'task' },
      { kind: 'task', taskId: 1 },
      { kind: 'thread', status: 'idle' },
      { kind: 'thread', threadId: 't', status: 'constructor' },
    ];
    for (const value of strange) expect(parseTenantNews(JSON.stringify(value))).toBeUndefined();
    expect(parseTenantNews('{"kind":')).toBeUndefined();
  });

  it('reads the time of Redis as milliseconds, whichever way the numbers come', () => {
    expect(timeToMs(['1750000000', '123999'])).toBe(1_750_000_000_123);
    expect(timeToMs([1_750_000_000, 999])).toBe(1_750_000_000_000);
  });
});
