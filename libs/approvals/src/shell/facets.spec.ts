/** Proves that what is counted once for many is true for each, and changes with what it counts. */
import { ownDatabase } from '@triptych/testkit';
import { verifies } from '../../../../test/spec/verifies.js';
import { carl, cora, fresh, olga, rita, rolf, transferOf, unwrap } from '../../test/bank.js';
import { Counter } from '../../test/counter.js';

const DATABASE = ownDatabase();

describe.each(['out of the store', 'kept in memory'])('facets of an inbox, %s', (way) => {
  let one: Counter;
  let two: Counter;
  let lines: { stop(): Promise<void> }[] = [];
  beforeAll(async () => {
    [one, two] = [await Counter.start(DATABASE), await Counter.start(DATABASE)];
    await one.redis.flushdb();
    if (way === 'kept in memory') lines = [await one.follow(), await two.follow()];
  });
  afterAll(async () => {
    for (const line of lines) await line.stop();
    await one.close();
    await two.close();
  });

  verifies('APR-112', 'follow every change made before they are asked for, each reader’s own', async () => {
    const tenant = fresh('tenant');
    const facets = async (actor: typeof rita) => unwrap(await one.approvals.facets({ ...actor, tenant }));
    const runs = [];
    for (let nth = 1; nth <= 3; nth += 1) {
      runs.push(await two.open(transferOf(500, { tenant, threadId: fresh('thread') })));
      expect(await facets(rita)).toMatchObject({ open: nth, mine: 0, groups: { advisors: nth } });
    }
    for (const [nth, { taskIds }] of runs.entries()) {
      unwrap(await two.approvals.claim({ ...rita, tenant }, taskIds[0] ?? ''));
      expect(await facets(rita)).toMatchObject({ open: 3, mine: nth + 1, holders: { rita: nth + 1 } });
      expect(await facets(rolf)).toMatchObject({ open: 3, mine: 0, holders: { rita: nth + 1 } });
    }
    expect([await facets(cora), await facets(olga)]).toMatchObject([{ open: 0 }, { open: 3 }]);
    expect(await one.approvals.facets({ ...carl, tenant })).toMatchObject({ refusal: { code: 'FORBIDDEN' } });
  });
});
