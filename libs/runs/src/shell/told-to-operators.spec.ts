import { verifies } from '../../../../test/spec/verifies.js';
import { absent, asking, fresh, openBench, type Bench } from '../../test/bench.js';
import { findingsOf } from '../adapters/findings.js';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

describe('a run', () => {
  verifies('PLT-20', 'whose agent answers otherwise tells operators what it said, and no log', async () => {
    const thread = fresh();
    const open = () =>
      Promise.resolve({
        ok: false,
        failure: 'rejected',
        status: 500,
        detail: 'it answered 500: S3CRET',
      } as const);
    const told: unknown[] = [];
    const report = (event: string, fields: object): void => void told.push({ event, ...fields });
    await bench.runToEnd(asking(thread, { ...absent, open }), bench.runsOf({ report }));
    const { items } = await findingsOf(bench.redis, thread, { limit: 9 });
    expect(items).toMatchObject([{ kind: 'warning', message: 'it answered 500: S3CRET' }]);
    expect(told).toContainEqual(expect.objectContaining({ failure: 'rejected', status: 500 }));
    expect(JSON.stringify(told)).not.toContain('S3CRET');
  });
});
