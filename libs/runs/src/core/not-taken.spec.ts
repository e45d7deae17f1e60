/** Which answers of an agent say that it began nothing. */
import { verifies } from '../../../../test/spec/verifies.js';
import { wasNotTaken, type NotOpened } from './not-taken.js';

const rejected = (status?: number): NotOpened => ({
  ...{ ok: false, failure: 'rejected', detail: 'no stream' },
  ...(status === undefined ? {} : { status }),
});

describe('an answer that is no stream of events', () => {
  for (const status of [302, 400, 404, 408, 409, 422, 429, 500, 501, 503])
    verifies('RUN-53', `${status}: nothing was begun`, () => {
      expect(wasNotTaken(rejected(status))).toBe(true);
    });

  // A success in other words, and what gateways say who know nothing of what is behind them.
  for (const status of [200, 202, 204, 502, 504, 520, 524, 598])
    verifies('RUN-53', `${status}: nobody knows`, () => {
      expect(wasNotTaken(rejected(status))).toBe(false);
    });

  verifies('RUN-53', 'no connection, or a way in circles: nothing was begun', () => {
    for (const failure of ['unavailable', 'timeout-connect'])
      expect(wasNotTaken({ ok: false, failure, detail: 'nobody' })).toBe(true);
    expect(wasNotTaken(rejected())).toBe(true);
  });
});
