import type { Actor } from '@triptych/access';
import type { ResumeEntry } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import {
  APPROVAL_SCHEMA,
  carl,
  cora,
  matterOf,
  NOON,
  olga,
  opened,
  rita,
  rolf,
  ruleOnTransfer,
  transferOf,
} from '../../test/bank.js';
import type { Batch } from './batch.js';
import { isNoChange, withChange } from './change.js';
import { decide } from './decide.js';
import { judgeResume } from './resume-door.js';

const YES = { approved: true };
const yes = (interruptId: string, ...payload: readonly unknown[]): ResumeEntry => ({
  interruptId,
  status: 'resolved',
  payload: payload.length === 0 ? YES : payload[0],
});
const cancelled = (interruptId: string): ResumeEntry => ({ interruptId, status: 'cancelled' });
const confirm = (id: string) => ({ id, reason: 'confirmation' });
const two = (): Batch => opened({ interrupts: [confirm('i1'), confirm('i2')] });

const resume = (
  batch: Batch,
  actor: Actor,
  entries: readonly ResumeEntry[],
  closedBefore: readonly string[] = [],
) =>
  judgeResume({
    batch,
    actor,
    entries,
    now: NOON + 1,
    closedBefore: new Set(closedBefore),
    ruleOn: (_task, args) => ruleOnTransfer(args),
    unhidden: (_matter, command) => command,
  });
const codeOf = (...args: Parameters<typeof resume>): string => {
  const judged = resume(...args);
  if (!judged.ok) return judged.refusal.code;
  if (judged.value === undefined) return 'nothing';
  return isNoChange(judged.value) ? 'no change' : 'changed';
};
const after = (batch: Batch, actor: Actor, entries: readonly ResumeEntry[]): Batch => {
  const judged = resume(batch, actor, entries);
  if (!judged.ok || !judged.value) throw new Error('refused');
  return withChange(batch, judged.value);
};

describe('a resume by the AG-UI door', () => {
  verifies('APR-20', 'records every entry as its caller’s decision, in one change', () => {
    const done = after(two(), rita, [yes('i2', { approved: false, reason: 'No.' }), yes('i1')]);
    expect(done.tasks.map(({ decision }) => decision?.kind)).toEqual(['approved', 'rejected']);
    expect(done.status).toMatchObject({ state: 'ready' });
  });

  verifies('APR-20', 'IN-03: part of what the caller may answer is refused with what is missing', () => {
    expect(resume(two(), rita, [yes('i1')])).toMatchObject({
      refusal: { code: 'INCOMPLETE_RESUME', details: { missing: ['i2'] } },
    });
  });

  verifies('APR-20', 'one entry that does not stand keeps all others from counting', () => {
    expect(codeOf(two(), rita, [yes('i1'), yes('i2', { approved: 'yes' })])).toBe('RESUME_PAYLOAD_INVALID');
    expect(codeOf(two(), rita, [yes('i1'), yes('i2'), yes('i3')])).toBe('UNKNOWN_INTERRUPT');
    expect(codeOf(two(), rita, [yes('i1'), yes('i1')])).toBe('DUPLICATE_INTERRUPT');
  });

  verifies('APR-20', 'only what the caller may answer is asked of them', () => {
    const mixed = opened({
      ...transferOf(500),
      interrupts: [
        { id: 't', reason: 'tool_call', toolCallId: 'c1', responseSchema: APPROVAL_SCHEMA },
        { id: 'q', reason: 'input_required' },
      ],
    });
    const answered = after(mixed, carl, [yes('q', 'Blue.')]);
    expect(answered.tasks.map(({ status }) => status)).toEqual(['open', 'settled']);
    expect(codeOf(answered, rita, [yes('t')])).toBe('changed');
    expect(codeOf(mixed, rita, [yes('t'), yes('q', 'Red.')])).toBe('UNKNOWN_INTERRUPT');
  });

  verifies('APR-20', 'IN-102: who may answer none of them is FORBIDDEN, whatever they name', () => {
    const reviewers = opened(transferOf(500));
    for (const entries of [[yes('i1')], [yes('guess')]]) {
      expect(codeOf(reviewers, carl, entries)).toBe('FORBIDDEN');
      expect(codeOf(reviewers, cora, entries)).toBe('FORBIDDEN');
    }
  });

  verifies(
    'APR-20',
    'on a decision any payload but yes or no is refused; a missing one is no approval',
    () => {
      const wrong: readonly unknown[] = [
        undefined,
        null,
        true,
        {},
        { approved: 1 },
        { approved: true, extra: 1 },
        { approved: false, reason: 7 },
        [true],
      ];
      for (const payload of wrong)
        expect(codeOf(two(), rita, [yes('i1', payload), yes('i2')])).toBe('RESUME_PAYLOAD_INVALID');
      const withPayload = { ...cancelled('i1'), payload: 1 } as ResumeEntry;
      expect(codeOf(two(), rita, [withPayload, yes('i2')])).toBe('RESUME_PAYLOAD_INVALID');
    },
  );

  verifies(
    'APR-20',
    'over an edit an entry must say what it saw; other client metadata counts for nothing',
    () => {
      const batch = opened(transferOf(2_000));
      const edit = decide(
        matterOf(batch, rita),
        { verb: 'approve', editedArgs: { amount: 1_500 } },
        ruleOnTransfer,
      );
      if (!edit.ok) throw new Error(edit.refusal.code);
      const edited = withChange(batch, edit.value);
      const task = edited.tasks[0];
      const seen = { rev: task?.rev, proposalHash: task?.proposalHash, actor: 'forged', decidedAt: 1 };
      expect(codeOf(edited, rolf, [yes('i1')])).toBe('STALE_REVISION');
      const told = resume(edited, rolf, [{ ...yes('i1'), metadata: { hub: seen } }]);
      expect(told.ok && told.value?.tasks[0]?.votes).toMatchObject([{ by: 'rolf' }]);
    },
  );

  verifies('APR-5', 'IN-10: the same resume again is a success, another answer is ALREADY_DECIDED', () => {
    const done = after(two(), rita, [yes('i1'), yes('i2')]);
    expect(codeOf(done, rita, [yes('i1'), yes('i2')])).toBe('no change');
    expect(codeOf(done, rita, [yes('i1'), yes('i2', { approved: false })])).toBe('ALREADY_DECIDED');
    expect(codeOf(done, rolf, [yes('i1')])).toBe('ALREADY_DECIDED');
  });

  verifies('APR-20', 'after the caller’s vote only the others are waited for', () => {
    const pair = opened({
      interrupts: [
        { id: 'p', reason: 'bank:pair' },
        { id: 'q', reason: 'bank:pair' },
      ],
    });
    const voted = after(pair, rita, [yes('p', 1), yes('q', 2)]);
    expect(codeOf(voted, rita, [yes('p', 1)])).toBe('no change');
    expect(codeOf(voted, rolf, [yes('p', 1)])).toBe('INCOMPLETE_RESUME');
  });

  verifies('APR-21', 'cancelling what is closed asks for nothing; cancelling what is open cancels it', () => {
    const done = after(two(), rita, [yes('i1'), yes('i2')]);
    expect(codeOf(done, rolf, [cancelled('i1')])).toBe('nothing');
    expect(codeOf(two(), rita, [cancelled('old')], ['old'])).toBe('nothing');
    expect(codeOf(two(), rita, [cancelled('old'), yes('i1'), yes('i2')], ['old'])).toBe('changed');
    expect(codeOf(two(), rita, [yes('old'), yes('i1'), yes('i2')], ['old'])).toBe('UNKNOWN_INTERRUPT');
    const closed = after(two(), olga, [cancelled('i1'), cancelled('i2')]);
    expect(closed.tasks.map(({ decision }) => decision?.kind)).toEqual(['cancelled', 'cancelled']);
    expect(codeOf(two(), olga, [cancelled('i1')])).toBe('INCOMPLETE_RESUME');
  });
});
