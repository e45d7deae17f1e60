/** Proves what the console offers for a batch that needs a person, and that none moves under its reader. */
import fc from 'fast-check';
import type { BatchView } from '@triptych/protocol';
import { verifies } from '../../../../../test/spec/verifies.js';
import { batchesEn, batchesZh } from '../batches/texts.js';
import { actsFor, isRepeat, troubleOf } from './batch-acts.js';
import { withLatest, type KnownBatch } from './known-batches.js';

const batch = (batchId: string, more: Partial<BatchView> = {}): BatchView => ({
  batchId,
  state: 'unknown',
  threadId: 't',
  runId: 'r',
  agentId: 'refund',
  openedAt: 0,
  taskIds: ['k'],
  open: 0,
  total: 1,
  ...more,
});

const TROUBLED: readonly Partial<BatchView>[] = [
  { state: 'unknown', code: 'hub/upstream-truncated' },
  { state: 'retry_wait', code: 'hub/agent-unavailable', attempts: 8 },
  { state: 'retry_wait', code: 'E_DB' },
  { state: 'blocked', why: 'all-expired' },
  { state: 'blocked', why: 'orphaned', code: 'UNKNOWN_INTERRUPT' },
  { state: 'blocked', why: 'agent-expired' },
  { state: 'blocked', why: 'undeliverable' },
  { state: 'blocked', code: 'hub/batch-unreadable' },
];

describe('what is offered', () => {
  verifies('WEB-30', 'each trouble has its own words and its own ways out', () => {
    const offered = TROUBLED.map((more) => batch('b', more)).map(
      (each) => [troubleOf(each), actsFor(each)] as const,
    );
    expect(offered).toEqual([
      ['unknown', ['mark-done', 'retry', 'reopen', 'cancel']],
      ['untaken', ['retry', 'reopen', 'mark-done', 'cancel']],
      ['failed', ['retry', 'reopen', 'mark-done', 'cancel']],
      ['all-expired', ['reopen', 'cancel', 'mark-done']],
      ['orphaned', ['retry', 'mark-done', 'cancel']],
      ['agent-expired', ['mark-done', 'cancel']],
      ['undeliverable', ['retry', 'reopen', 'mark-done', 'cancel']],
      ['unreadable', []],
    ]);
    const spoken = offered.flatMap(([trouble, acts]) => [
      `b.why.${trouble}`,
      ...acts.flatMap((act) => [`b.does.${act}`, `b.sure.${act}`, `b.did.${act}`]),
    ]);
    for (const words of [batchesEn, batchesZh])
      expect(Object.keys(words)).toEqual(expect.arrayContaining(spoken));
  });

  verifies('WEB-30', 'sending again is called harmless only where nobody had the answers', () => {
    expect(TROUBLED.map((more) => isRepeat(batch('b', more)))).toEqual([
      ...[true, false, true, true, true, true, true, true],
    ]);
  });
});

describe('the list', () => {
  verifies('WEB-31', 'keeps whatever was seen where it was; what is new comes after it', () => {
    const looks = fc.array(fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e')), { maxLength: 8 });
    fc.assert(
      fc.property(looks, (seen) => {
        let known: readonly KnownBatch[] = [];
        for (const ids of seen) {
          const before = known.map(({ batch: { batchId } }) => batchId);
          known = withLatest(
            known,
            ids.map((id) => batch(id)),
          );
          const after = known.map(({ batch: { batchId } }) => batchId);
          expect(after.slice(0, before.length)).toEqual(before);
          expect(new Set(after).size).toBe(after.length);
          expect(
            known
              .filter(({ gone }) => !gone)
              .map((each) => each.batch.batchId)
              .sort(),
          ).toEqual([...ids].sort());
        }
      }),
    );
  });

  verifies('WEB-31', 'shows a batch as it is now, and as it was last once it is gone', () => {
    const first = withLatest([], [batch('a'), batch('b')]);
    const second = withLatest(first, [batch('b', { attempts: 2 })]);
    expect(second.map(({ batch: { batchId, attempts }, gone }) => [batchId, attempts, gone])).toEqual([
      ['a', undefined, true],
      ['b', 2, false],
    ]);
  });
});
