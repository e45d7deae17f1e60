import type { Fields, Log } from '@triptych/platform';
import { StoreAway } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import { refusalOf } from './refusal-of.js';

const listening = () => {
  const told: Fields[] = [];
  const quiet = (): void => undefined;
  const log: Log = {
    debug: quiet,
    info: quiet,
    warn: quiet,
    error: (event, fields) => void told.push({ event, ...fields }),
    with: () => log,
  };
  return { log, told };
};

describe('a failure nobody expected', () => {
  verifies('HUB-18', 'of a store that is away says so and is no fault of ours', () => {
    const { log, told } = listening();
    const said = refusalOf(new StoreAway('gone'), log, { path: '/x' });
    expect(said).toMatchObject({ code: 'STORE_UNAVAILABLE', retryAfterMs: 1_000 });
    expect(told).toEqual([]);
  });

  verifies('HUB-18', 'shows no innards, and is found in the log by its correlation id', () => {
    const { log, told } = listening();
    const error = new TypeError('x is not a function');
    const said = refusalOf(error, log, { path: '/x' });
    expect(said.code).toBe('INTERNAL');
    expect(JSON.stringify(said)).not.toContain('function');
    const correlationId = said.details?.correlationId;
    expect(correlationId).toEqual(expect.any(String));
    expect(told).toEqual([{ event: 'request.failed', correlationId, path: '/x', error }]);
  });
});
