import { ok, refuse, StoreAway, type Result } from '@triptych/protocol';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { verifies } from '../../../../test/spec/verifies.js';
import { KEEP_MS, Once } from './once.js';

const TOVE = { tenant: 'bank', subject: 'tove' };

describe('what is asked under one key', () => {
  let redis: Redis;
  beforeAll(() => {
    redis = new Redis(process.env['REDIS_URL'] ?? '');
  });
  afterAll(() => redis.quit());

  /** One key, and how often something was done under it. */
  const under = (key: string = randomUUID()) => {
    const once = new Once(redis);
    const done: unknown[] = [];
    const ask = (request: unknown, answer: Result<unknown> = ok(request), actor = TOVE) =>
      once.do({ actor, key, request }, async () => {
        done.push(request);
        return answer;
      });
    return { key, once, done, ask };
  };

  verifies('HUB-32', 'is done once: the repeat gets the first answer', async () => {
    const { ask, done } = under();
    expect(await ask({ text: 'a', to: 1 }, ok('first'))).toEqual({ again: false, answer: ok('first') });
    expect(await ask({ to: 1, text: 'a' }, ok('second'))).toEqual({ again: true, answer: ok('first') });
    expect(done).toHaveLength(1);
  });

  verifies('HUB-32', 'is one request: another one is refused, and changes nothing', async () => {
    const { ask, done } = under();
    await ask(['comment', 'a']);
    for (const other of [
      ['comment', 'b'],
      ['decide', 'a'],
      ['comment', 'a', undefined],
    ])
      expect(await ask(other)).toMatchObject({ answer: { refusal: { code: 'IDEMPOTENCY_KEY_REUSED' } } });
    expect(done).toHaveLength(1);
    expect(await ask(['comment', 'a'])).toMatchObject({ again: true });
  });

  verifies('HUB-32', 'is one person’s: others have the same key for themselves', async () => {
    const { ask, done } = under();
    for (const actor of [TOVE, { ...TOVE, subject: 'jan' }, { ...TOVE, tenant: 'other' }])
      expect(await ask('x', ok(actor.subject), actor)).toEqual({ again: false, answer: ok(actor.subject) });
    expect(done).toHaveLength(3);
  });

  verifies('HUB-32', 'that was refused did nothing: the key is free again', async () => {
    const { ask, done } = under();
    expect(await ask('a', refuse('CLAIM_LOST'))).toMatchObject({ answer: { ok: false } });
    expect(await ask('b')).toEqual({ again: false, answer: ok('b') });
    expect(done).toEqual(['a', 'b']);
  });

  verifies('HUB-32', 'that failed is free again too', async () => {
    const { once, key, ask } = under();
    const failing = once.do({ actor: TOVE, key, request: 'a' }, () => Promise.reject(new StoreAway('gone')));
    await expect(failing).rejects.toThrow('gone');
    expect(await ask('a')).toEqual({ again: false, answer: ok('a') });
  });

  verifies('HUB-32', 'and is being done is waited for', async () => {
    const { once, key, ask, done } = under();
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const doing = once.do({ actor: TOVE, key, request: 'a' }, async () => (await finished, ok('first')));
    const waiting = [ask('a'), ask('a')];
    finish();
    expect(await doing).toMatchObject({ again: false });
    for (const one of await Promise.all(waiting)) expect(one).toEqual({ again: true, answer: ok('first') });
    expect(done).toEqual([]);
  });

  verifies('HUB-32', 'but not for ever', async () => {
    const { once, key, ask, done } = under();
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const doing = once.do({ actor: TOVE, key, request: 'a' }, async () => (await finished, ok('first')));
    expect(await ask('a')).toMatchObject({
      answer: { refusal: { code: 'THREAD_BUSY', next: 'retry', retryAfterMs: 1_000 } },
    });
    expect(done).toEqual([]);
    finish();
    await doing;
  });

  verifies('HUB-32', 'is remembered for a day', async () => {
    const { ask, key } = under();
    const before = new Set(await redis.keys('tt:once:*'));
    await ask('a');
    const fresh = (await redis.keys('tt:once:*')).filter((name) => !before.has(name));
    expect(fresh.join()).not.toContain(key);
    const lives = await Promise.all(fresh.map((name) => redis.pttl(name)));
    expect(Math.max(...lives)).toBeGreaterThan(KEEP_MS - 60_000);
    expect(Math.max(...lives)).toBeLessThanOrEqual(KEEP_MS);
  });
});
