import { verifies } from '../../../../test/spec/verifies.js';
import { matterOf, NOON, olga, only, opened, rita, rolf, sven, transferOf } from '../../test/bank.js';
import type { Actor } from '@triptych/access';
import type { Result } from '@triptych/protocol';
import { assign } from './assign.js';
import type { Batch } from './batch.js';
import { isNoChange, withChange, type Change } from './change.js';
import { claim } from './claim.js';
import { decide } from './decide.js';
import { extend } from './extend.js';

const made = (batch: Batch, judged: Result<Change>): Batch => {
  if (!judged.ok) throw new Error(judged.refusal.code);
  return withChange(batch, judged.value);
};
const small = () => opened(transferOf(500));
const given = (batch: Batch, actor: Actor, to?: string, rev = only(batch).rev) =>
  assign(matterOf(batch, actor), { rev, ...(to === undefined ? {} : { to }) });
const moved = (batch: Batch, actor: Actor, dueAt: number, rev = only(batch).rev) =>
  extend(matterOf(batch, actor), { rev, dueAt });

describe('giving a task to somebody', () => {
  verifies('APR-39', 'names them, or nobody again, and leaves rev and claim alone', () => {
    const claimed = made(small(), claim(matterOf(small(), rita)));
    for (const actor of [sven, olga]) {
      const theirs = made(claimed, given(claimed, actor, 'rolf'));
      expect(only(theirs)).toMatchObject({ assignee: 'rolf', rev: 2, claim: { by: 'rita' } });
      expect(only(theirs).history.at(-1)).toMatchObject({
        by: actor.subject,
        action: 'assign',
        text: 'rolf',
      });
      const again = given(theirs, actor, 'rolf', 1);
      expect(again.ok && isNoChange(again.value)).toBe(true);
      expect(only(made(theirs, given(theirs, actor)))).not.toHaveProperty('assignee');
    }
  });

  verifies('APR-39', 'binds nobody: whoever may answer still may', () => {
    const batch = made(small(), given(small(), sven, 'rolf'));
    const { rev, proposalHash } = only(batch);
    const command = { verb: 'approve', rev, proposalHash } as const;
    const done = made(
      batch,
      decide(matterOf(batch, rita), command, () => only(batch).ruling),
    );
    expect(only(done)).toMatchObject({ status: 'settled', assignee: 'rolf' });
  });

  verifies('APR-39', 'is refused to who asked for it or edited it, where the rule bars them', () => {
    const why = (reason: string) => ({ refusal: { code: 'FORBIDDEN', details: { why: reason } } });
    expect(given(small(), sven, 'carl')).toMatchObject(why('requester'));
    const large = opened(transferOf(2_000));
    const command = { verb: 'approve', rev: 1, editedArgs: { amount: 1_500 } } as const;
    const edited = made(
      large,
      decide(matterOf(large, rita), command, () => only(large).ruling),
    );
    expect(given(edited, sven, 'rita')).toMatchObject(why('editor'));
    expect(given(edited, sven, 'rolf').ok).toBe(true);
  });

  verifies('APR-39', 'is for supervisors and operators, of an open task as it stands', () => {
    expect(given(small(), rita, 'rolf')).toMatchObject({ refusal: { code: 'FORBIDDEN' } });
    expect(given(small(), sven, 'rolf', 7)).toMatchObject({ refusal: { code: 'STALE_REVISION' } });
    const { expiresAt } = only(small());
    const late = assign(matterOf(small(), sven, { now: expiresAt }), { rev: 1, to: 'rolf' });
    expect(late).toMatchObject({ refusal: { code: 'EXPIRED' } });
    const over = made(
      small(),
      decide(matterOf(small(), rita), { verb: 'cancel', rev: 1 }, () => only(small()).ruling),
    );
    expect(given(over, olga, 'rolf')).toMatchObject({ refusal: { code: 'ALREADY_DECIDED' } });
  });
});

describe('moving when a task is due', () => {
  verifies('APR-40', 'is possible until it ends, makes another revision, and leaves its end', () => {
    const batch = small();
    const { expiresAt } = only(batch);
    for (const actor of [sven, olga]) {
      const later = made(batch, moved(batch, actor, expiresAt));
      expect(only(later)).toMatchObject({ dueAt: expiresAt, expiresAt, rev: 2 });
      expect(only(later).history.at(-1)).toMatchObject({ by: actor.subject, action: 'extend' });
      const again = moved(later, actor, expiresAt, 1);
      expect(again.ok && isNoChange(again.value)).toBe(true);
    }
  });

  verifies('APR-40', 'not into the past nor beyond its end, and not on an old revision', () => {
    const batch = small();
    const invalid = { refusal: { code: 'INVALID_INPUT', details: { pointer: '/dueAt' } } };
    for (const dueAt of [NOON - 1, NOON + 1, only(batch).expiresAt + 1])
      expect(moved(batch, sven, dueAt)).toMatchObject(invalid);
    expect(moved(batch, sven, NOON + 9, 4)).toMatchObject({ refusal: { code: 'STALE_REVISION' } });
    expect(moved(batch, rolf, NOON + 9)).toMatchObject({ refusal: { code: 'FORBIDDEN' } });
  });
});
