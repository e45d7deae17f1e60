/** Proves what each kind of loss leads to. */
import fc from 'fast-check';
import { CLOSE, refusal } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import { backOffMs } from './back-off.js';
import { afterLoss, afterTold, isWorthAsking, NO_STREAK, wantsFreshToken } from './connection.js';
import { readServerFrame } from './server-frame.js';

const at = { now: 1_000, chance: 0.5 };

describe('after a loss', () => {
  verifies('CLI-1', 'every close code has exactly one consequence, the one of the table', () => {
    const ended = (code: number) => afterLoss(NO_STREAK, { code }, at).state;
    expect(ended(CLOSE.RESTART.code)).toMatchObject({ state: 'waiting', cause: 'restart' });
    expect(ended(CLOSE.SLOW.code)).toMatchObject({ state: 'waiting', cause: 'slow' });
    expect(ended(CLOSE.TOO_FAST.code)).toMatchObject({ state: 'waiting', cause: 'rate' });
    expect(ended(CLOSE.STORE_AWAY.code)).toMatchObject({ state: 'waiting', cause: 'store' });
    expect(ended(CLOSE.UNAUTHENTICATED.code)).toMatchObject({ state: 'waiting', cause: 'token' });
    expect(ended(CLOSE.FORBIDDEN.code)).toEqual({ state: 'closed', reason: 'forbidden' });
    expect(ended(CLOSE.MISUSE.code)).toEqual({ state: 'closed', reason: 'misuse' });
    expect(ended(CLOSE.FRAME_TOO_BIG.code)).toEqual({ state: 'closed', reason: 'misuse' });
    expect(ended(CLOSE.DONE.code)).toEqual({ state: 'closed', reason: 'stopped' });
    expect(ended(1006)).toMatchObject({ state: 'waiting', cause: 'network' });
  });

  verifies('CLI-1', 'a second token refused in a row means signed out', () => {
    const first = afterLoss(NO_STREAK, { code: CLOSE.UNAUTHENTICATED.code }, at);
    expect(wantsFreshToken(first.streak)).toBe(true);
    expect(afterLoss(first.streak, { code: CLOSE.UNAUTHENTICATED.code }, at).state).toEqual({
      state: 'closed',
      reason: 'signed-out',
    });
  });

  verifies(
    'CLI-41',
    'what was found out about connections that do not open ends the wait, or names it',
    () => {
      const waiting = { state: 'waiting', retryAt: 9, attempt: 2, cause: 'network' } as const;
      const told = (code: Parameters<typeof refusal>[0]) =>
        afterTold(waiting, { by: 'refusal', refusal: refusal(code) });
      expect(told('FORBIDDEN')).toEqual({ state: 'closed', reason: 'forbidden' });
      expect(told('UNAUTHENTICATED')).toEqual({ state: 'closed', reason: 'signed-out' });
      expect(told('RATE_LIMITED')).toEqual({ ...waiting, cause: 'rate' });
      expect(told('STORE_UNAVAILABLE')).toEqual({ ...waiting, cause: 'store' });
      expect(told('NOT_FOUND')).toEqual(waiting);
      expect(afterTold(waiting, { by: 'origin' })).toEqual({ ...waiting, cause: 'origin' });
      const once = afterLoss(NO_STREAK, { code: 1006 }, at);
      expect(isWorthAsking(once.streak)).toBe(false);
      expect(isWorthAsking(afterLoss(once.streak, { code: 1006 }, at).streak)).toBe(true);
    },
  );

  verifies('CLI-2', 'the wait is full jitter, bounded, and never shorter than the hub asked', () => {
    fc.assert(
      fc.property(
        fc.nat(1_000),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.nat(60_000),
        (attempt, chance, atLeast) => {
          const ms = backOffMs(attempt, chance, atLeast);
          expect(ms).toBeGreaterThanOrEqual(atLeast);
          expect(ms).toBeLessThan(atLeast + 20_000);
        },
      ),
    );
    expect(backOffMs(0, 0)).toBe(0);
    expect(backOffMs(3, 0.999)).toBeGreaterThan(backOffMs(2, 0.999));
    expect(afterLoss(NO_STREAK, { code: CLOSE.RESTART.code, retryAfterMs: 700 }, at).state).toMatchObject({
      retryAt: 1_000 + 700 + 250,
    });
  });
});

describe('reading frames', () => {
  verifies('CLI-3', 'what is not a frame of this version is nothing, and harms nothing', () => {
    for (const text of [
      '',
      'null',
      '[]',
      '7',
      '{"event":7}',
      '{"event":"later.version"}',
      '{"event":"__proto__"}',
      '<html>',
    ]) {
      expect(readServerFrame(text)).toBeUndefined();
    }
    expect(readServerFrame('{"event":"pong"}')).toEqual({ event: 'pong', data: {} });
    expect(readServerFrame('{"event":"head","data":{"threadId":"t","pos":"p"},"more":1}')).toMatchObject({
      event: 'head',
      data: { threadId: 't', pos: 'p' },
    });
  });
});
