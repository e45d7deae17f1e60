import { verifies } from '../../../../test/spec/verifies.js';
import { draw, type Bucket } from './token-bucket.js';

const FLOW = { perMinute: 60, burst: 3 };

/** Draws at each of these moments, ms; a wait in ms where it was refused. */
const drawn = (moments: readonly number[]): readonly (true | number)[] => {
  let bucket: Bucket | undefined;
  return moments.map((now) => {
    const one = draw(bucket, FLOW, now);
    bucket = one.bucket;
    return one.passes || one.retryAfterMs;
  });
};

describe('a bucket', () => {
  verifies('HUB-20', 'lets a burst pass, then the flow, and says when the next may pass', () => {
    const tables: readonly (readonly [moments: number[], passed: (true | number)[]])[] = [
      [
        [0, 0, 0, 0],
        [true, true, true, 1_000],
      ],
      [
        [0, 0, 0, 400, 400, 1_000, 1_000],
        [true, true, true, 600, 600, true, 1_000],
      ],
      // However long it rests, it holds no more than a burst.
      [
        [0, 3_600_000, 3_600_000, 3_600_000, 3_600_000],
        [true, true, true, true, 1_000],
      ],
      // The clock was set back.
      [
        [5_000, 5_000, 5_000, 0, 1_000],
        [true, true, true, 1_000, true],
      ],
    ];
    for (const [moments, passed] of tables) expect(drawn(moments)).toEqual(passed);
  });
});
