import 'reflect-metadata';
import { parseSettings } from '@triptych/platform';
import { verifies } from '../../../../test/spec/verifies.js';
import { MAX_PEOPLE } from './buckets.js';
import { RunRates } from './run-rates.js';

const ratesAt = (start: number) => {
  const time = { now: start };
  const read = parseSettings({ RATE_RUNS: '6' });
  if (!read.ok) throw new Error('no settings');
  const rates = new RunRates(read.settings, { now: () => time.now });
  const take = (subject: string, tenant = 'default'): string => {
    const taken = rates.take({ tenant, subject });
    return taken.ok ? 'ok' : taken.refusal.code;
  };
  return { rates, time, take };
};

describe('how often a person may ask for a run', () => {
  verifies('HUB-20', 'is their own: others in the tenant, and their namesakes elsewhere, do not pay', () => {
    const { take, time, rates } = ratesAt(0);
    expect(['a', 'a', 'a', 'b'].map((subject) => take(subject))).toEqual(['ok', 'ok', 'RATE_LIMITED', 'ok']);
    expect(take('a', 'other')).toBe('ok');
    expect(rates.take({ tenant: 'default', subject: 'a' })).toMatchObject({
      refusal: { code: 'RATE_LIMITED', retryAfterMs: 10_000, details: { limit: 'RATE_RUNS' } },
    });
    time.now = 10_000;
    expect(take('a')).toBe('ok');
  });

  verifies('HUB-20', 'is forgotten of those who asked longest ago, never of all', () => {
    const { take } = ratesAt(0);
    expect([take('early'), take('early'), take('late'), take('late')]).toEqual(['ok', 'ok', 'ok', 'ok']);
    for (let nth = 2; nth < MAX_PEOPLE; nth += 1) take(`p${nth}`);
    expect(take('late')).toBe('RATE_LIMITED');
    take('one more');
    expect([take('late'), take('early')]).toEqual(['RATE_LIMITED', 'ok']);
  });
});
