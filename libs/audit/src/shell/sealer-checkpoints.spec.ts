/** Proves that what is sealed is vouched for elsewhere, and that a store which lost what was vouched for is told of. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifies } from '../../../../test/spec/verifies.js';
import { SealingStage } from '../../test/sealing-stage.js';
import { CheckpointFiles } from '../adapters/checkpoint-files.js';
import { CHECKPOINT_AFTER_MS, checkpointLine } from '../core/checkpoint.js';

const stage = new SealingStage();
beforeAll(() => stage.begin());
beforeEach(() => stage.empty());
afterEach(() => stage.clear());
afterAll(() => stage.end());

describe('checkpoints of a sealer', () => {
  verifies('AUD-19', 'vouches for each thousand, and for what is left a minute later', async () => {
    const sealer = stage.sealerOn();
    await stage.write(0);
    await sealer.round();
    await stage.writeMany(2_500);
    await sealer.round();
    expect((await stage.checkpointsIn()).map(({ seq }) => seq)).toEqual([1, 1_001, 2_001]);
    await sealer.round();
    expect(await stage.checkpointsIn()).toHaveLength(3);
    // The last one as if it had been made a minute ago.
    const last = (await stage.checkpointsIn()).at(-1)!;
    await stage.redis.hset(
      stage.keys.head,
      'c',
      checkpointLine({ ...last, at: last.at - CHECKPOINT_AFTER_MS }),
    );
    await sealer.round();
    expect((await stage.checkpointsIn()).at(-1)).toMatchObject({ n: 4, seq: 2_501, previous: last.jws });
    expect(await stage.verdict()).toMatchObject({ ok: true, records: 2_501, covered: 2_501 });
  });

  verifies(
    'AUD-20',
    'brings into an empty book all checkpoints there are, and writes on when it could not',
    async () => {
      await stage.write(0);
      await stage.sealerOn().round();
      await stage.writeMany(1_500);
      const elsewhere = join(stage.folder, 'elsewhere');
      writeFileSync(elsewhere, 'no folder');
      await stage.forgetWriter();
      await stage.sealerOn(stage.redis, new CheckpointFiles(elsewhere)).round();
      expect(stage.told).toContain('audit.checkpoints-failed');
      expect((await stage.sealed()).length).toBe(1_501);
      expect(await stage.linesIn()).toHaveLength(1);
      await stage.forgetWriter();
      await stage.sealerOn().round();
      expect((await stage.checkpointsIn()).map(({ n, seq }) => [n, seq])).toEqual([
        [1, 1],
        [2, 1_001],
      ]);
      const fresh = new CheckpointFiles(join(stage.folder, 'fresh'));
      await stage.forgetWriter();
      await stage.sealerOn(stage.redis, fresh).round();
      expect(await stage.linesIn(fresh)).toEqual(await stage.linesIn());
    },
  );

  verifies(
    'AUD-20',
    'tells when the store lost what a checkpoint vouches for; the trail shows it for ever',
    async () => {
      await stage.writeMany(5);
      await stage.sealerOn().round();
      // A store that came back without its last words.
      await stage.redis.flushdb();
      await stage.writeMany(2);
      await stage.sealerOn().round();
      expect(stage.told).toContain('audit.tail-lost');
      expect(await stage.verdict()).toMatchObject({ ok: false, fault: { why: 'cut-off', seq: 3 } });
      await stage.writeMany(6);
      await stage.forgetWriter();
      await stage.sealerOn().round();
      expect(await stage.verdict()).toMatchObject({ ok: false, fault: { why: 'rewritten', seq: 5 } });
    },
  );

  verifies('AUD-34', 'say once that a tail is lost, again only for another loss', async () => {
    const losses = (): number => stage.told.filter((event) => event === 'audit.tail-lost').length;
    await stage.writeMany(5);
    await stage.sealerOn().round();
    await stage.redis.flushdb();
    const sealer = stage.sealerOn();
    for (let round = 0; round < 4; round += 1) {
      await stage.write(round, 't');
      await sealer.round();
    }
    expect(losses()).toBe(1);
    for (let round = 0; round < 4; round += 1) await stage.write(round, 't');
    await sealer.round();
    expect((await stage.sealed()).length).toBe(8);
    await stage.redis.flushdb();
    await stage.write(0, 't');
    await sealer.round();
    expect(losses()).toBe(2);
  });
});
