import { verifies } from '../../../../../test/spec/verifies.js';
import { moreTime } from './more-time.js';

const HOUR = 60 * 60_000;

describe('more time', () => {
  verifies(
    'WEB-61',
    'is counted from the time it is due, else from now, and never reaches past the end',
    () => {
      const dues = (task: { dueAt?: number; expiresAt: number }) =>
        moreTime(task, 10 * HOUR).map(({ dueAt }) => dueAt / HOUR);
      expect(dues({ dueAt: 12 * HOUR, expiresAt: 99 * HOUR })).toEqual([13, 16, 36]);
      expect(dues({ dueAt: 2 * HOUR, expiresAt: 99 * HOUR })).toEqual([11, 14, 34]);
      expect(dues({ expiresAt: 14 * HOUR })).toEqual([11, 14]);
      expect(dues({ dueAt: 12 * HOUR, expiresAt: 12 * HOUR })).toEqual([]);
    },
  );
});
