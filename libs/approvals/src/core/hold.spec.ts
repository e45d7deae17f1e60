import { verifies } from '../../../../test/spec/verifies.js';
import {
  APPROVAL_SCHEMA,
  cora,
  matterOf,
  NOON,
  olga,
  only,
  opened,
  person,
  policy,
  rita,
  rolf,
  sven,
} from '../../test/bank.js';
import type { Actor } from '@triptych/access';
import { show } from '../shell/show.js';
import type { Batch } from './batch.js';
import { isNoChange, withChange, type Change } from './change.js';
import { claim, takeover } from './claim.js';
import type { DecideCommand } from './command.js';
import { decide } from './decide.js';
import { planDispatch } from './dispatch.js';
import { applyDue, nextDue } from './due.js';
import { awaitedAs, undo } from './hold.js';
import { noteLate } from './late.js';
import { offerTo } from './may.js';
import type { HeldTask, OpenTask } from './task.js';

const UNDO_MS = 60_000;
const AT = NOON + 1;

const ask = (reason: string, over: { expiresAt?: string } = {}) => ({
  interrupts: [{ id: 'i1', reason, toolCallId: 'c1', responseSchema: APPROVAL_SCHEMA, ...over }],
  calls: { c1: { name: 'transfer', argsText: '{"amount":500}' } },
});
const slip = (over: { expiresAt?: string } = {}) => opened(ask('bank:slip', over));

const seen = (batch: Batch) => ({ rev: only(batch).rev, proposalHash: only(batch).proposalHash });
const judge = (batch: Batch, actor: Actor, command: DecideCommand, now = AT) =>
  decide(matterOf(batch, actor, { now }), { ...seen(batch), ...command }, () => only(batch).ruling);
const made = (
  batch: Batch,
  judged: { ok: true; value: Change } | { ok: false; refusal: { code: string } },
) => {
  if (!judged.ok) throw new Error(judged.refusal.code);
  return withChange(batch, judged.value);
};
const after = (batch: Batch, actor: Actor, command: DecideCommand, now = AT): Batch =>
  made(batch, judge(batch, actor, command, now));
const takenBack = (batch: Batch, actor: Actor, now = AT + 1) =>
  undo(matterOf(batch, actor, { now }), only(batch).rev);
const heldIn = (batch: Batch): HeldTask => {
  const task = only(batch);
  if (task.status !== 'held') throw new Error(`the task is ${task.status}`);
  return task;
};

describe('an answer that can be taken back', () => {
  verifies('APR-35', 'is held for the time its rule gives, shown as held, and nothing is sent', () => {
    for (const verb of ['approve', 'reject'] as const) {
      const batch = after(slip(), rita, { verb });
      expect(heldIn(batch)).toMatchObject({ heldUntil: AT + UNDO_MS, rev: 1, decision: { by: ['rita'] } });
      expect(batch.status).toEqual({ state: 'open' });
      expect(planDispatch(batch, AT, 'run-2')).toBeUndefined();
      const view = show(policy, matterOf(batch, rolf, { now: AT }));
      expect(view).toMatchObject({
        state: 'held',
        heldUntil: AT + UNDO_MS,
        decision: { kind: verb === 'approve' ? 'approved' : 'rejected', by: ['rita'], at: AT },
        batch: { state: 'open', open: 1 },
        may: ['comment'],
      });
      expect(show(policy, matterOf(batch, rolf, { now: AT + UNDO_MS })).state).toBe('decided');
    }
    const asked = opened({ interrupts: [{ id: 'i1', reason: 'bank:slip' }] });
    expect(heldIn(after(asked, rita, { verb: 'respond', payload: 7 })).decision.kind).toBe('responded');
  });

  verifies('APR-35', 'a cancellation is not held, nor is a vote that carries nothing', () => {
    expect(only(after(slip(), rita, { verb: 'cancel' })).status).toBe('settled');
    const one = after(opened(ask('bank:slips')), rita, { verb: 'approve' });
    expect(only(one).status).toBe('open');
    expect(heldIn(after(one, rolf, { verb: 'approve' })).decision.by).toEqual(['rita', 'rolf']);
  });

  verifies('APR-35', 'is held by the longest of its rules', () => {
    const batch = slip();
    const longer = { ...only(batch).ruling, rule: 'other', undoMs: 2 * UNDO_MS };
    const command = { ...seen(batch), verb: 'approve', editedArgs: { amount: 7 } } as const;
    const held = made(
      batch,
      decide(matterOf(batch, rita), command, () => longer),
    );
    expect(heldIn(held).heldUntil).toBe(AT + 2 * UNDO_MS);
  });

  verifies('APR-35', 'is never held until its task ends: there must be time to send it', () => {
    const near = slip({ expiresAt: new Date(AT + 10_000).toISOString() });
    const { heldUntil, expiresAt } = heldIn(after(near, rita, { verb: 'approve' }));
    expect(heldUntil).toBeGreaterThan(AT);
    expect(heldUntil).toBeLessThan(expiresAt);
    const nearer = slip({ expiresAt: new Date(AT + 900).toISOString() });
    expect(after(nearer, rita, { verb: 'approve' }).status.state).toBe('ready');
  });

  verifies('APR-35', 'is decided for everyone else, and its own author’s repeat succeeds', () => {
    const batch = after(slip(), rita, { verb: 'approve' });
    const decided = { code: 'ALREADY_DECIDED', details: { kind: 'approved', by: ['rita'], at: AT } };
    for (const actor of [rolf, sven, cora])
      expect(judge(batch, actor, { verb: 'reject' })).toMatchObject({ refusal: decided });
    expect(judge(batch, olga, { verb: 'cancel' })).toMatchObject({ refusal: decided });
    expect(claim(matterOf(batch, rolf))).toMatchObject({ refusal: decided });
    expect(takeover(matterOf(batch, sven), { rev: 1, reason: 'Mine.' })).toMatchObject({ refusal: decided });
    const again = judge(batch, rita, { verb: 'approve' });
    expect(again.ok && isNoChange(again.value)).toBe(true);
    expect(judge(batch, rita, { verb: 'reject' })).toMatchObject({ refusal: decided });
  });

  verifies('APR-31', 'somebody else’s answer meanwhile is remembered as late', () => {
    const batch = after(slip(), rita, { verb: 'approve' });
    const noted = withChange(batch, noteLate(matterOf(batch, rolf), { verb: 'reject' }));
    expect(heldIn(noted).history.at(-1)).toMatchObject({ by: 'rolf', action: 'late', text: 'reject' });
    expect(made(noted, takenBack(noted, rita)).tasks[0]?.history.at(-1)?.action).toBe('undo');
  });
});

describe('taking an answer back', () => {
  verifies('APR-36', 'leaves the task as it was before, another revision, and theirs to work on', () => {
    const batch = made(slip(), claim(matterOf(slip(), rita)));
    const held = after(batch, rita, { verb: 'approve', editedArgs: { amount: 7 } });
    expect(heldIn(held)).toMatchObject({ rev: 3, edit: { args: { amount: 7 } } });
    const open = only(made(held, takenBack(held, rita))) as OpenTask;
    expect(open).toMatchObject({
      status: 'open',
      rev: 4,
      proposalHash: only(batch).proposalHash,
      votes: [],
      claim: { by: 'rita' },
    });
    expect(Object.keys(open)).not.toEqual(expect.arrayContaining(['edit']));
    for (const gone of ['edit', 'decision', 'heldUntil', 'before', 'runId'])
      expect(Object.keys(open)).not.toContain(gone);
    expect(open.history.map(({ action }) => action)).toEqual(['open', 'claim', 'edit', 'approve', 'undo']);
  });

  verifies('APR-36', 'voids the votes of that answer and no others', () => {
    const one = after(opened(ask('bank:slips')), rita, { verb: 'approve' });
    const carried = after(one, rolf, { verb: 'approve' });
    expect(only(made(carried, takenBack(carried, rolf))).votes).toEqual([]);
    const rejected = after(one, rolf, { verb: 'reject' });
    const back = made(rejected, takenBack(rejected, rolf));
    expect(only(back).votes.map(({ by }) => by)).toEqual(['rita']);
  });

  verifies('APR-36', 'is for who gave it and for supervisors, in the order of all refusals', () => {
    const batch = after(slip(), rita, { verb: 'approve' });
    for (const actor of [rolf, cora, olga])
      expect(takenBack(batch, actor)).toMatchObject({ refusal: { code: 'FORBIDDEN' } });
    for (const actor of [rita, sven]) {
      expect(offerTo(matterOf(batch, actor)).may).toContain('undo');
      expect(takenBack(batch, actor).ok).toBe(true);
      expect(undo(matterOf(batch, actor), 9)).toMatchObject({ refusal: { code: 'STALE_REVISION' } });
    }
    expect(offerTo(matterOf(batch, rolf)).may).not.toContain('undo');
    expect(takenBack(slip(), sven)).toMatchObject({ refusal: { code: 'FORBIDDEN' } });
    const barred = person('ward', ['supervisor'], ['advisors']);
    const theirs = { ...batch, facts: { ...batch.facts, requesters: ['ward'] } };
    expect(only(made(theirs, takenBack(theirs, barred)))).not.toHaveProperty('claim');
  });

  verifies('APR-36', 'is possible until the hold ends and void after it', () => {
    const batch = after(slip(), rita, { verb: 'approve' });
    const { heldUntil } = heldIn(batch);
    expect(takenBack(batch, rita, heldUntil - 1)).toMatchObject({ value: { notAfter: heldUntil } });
    const late = {
      refusal: { code: 'ALREADY_DECIDED', details: { kind: 'approved', by: ['rita'], at: AT } },
    };
    expect(takenBack(batch, rita, heldUntil)).toMatchObject(late);
    const stood = withChange(batch, applyDue(batch, heldUntil));
    expect(takenBack(stood, rita, heldUntil + 1)).toMatchObject(late);
  });

  verifies('APR-36', 'a customer takes their own answer back', () => {
    const asked = opened({ interrupts: [{ id: 'i1', reason: 'bank:slip' }] });
    const put = { ...only(asked).ruling, audience: 'customer' as const };
    const theirs: Batch = { ...asked, tasks: asked.tasks.map((task) => ({ ...task, ruling: put })) };
    const carl = person('carl', ['customer']);
    const held = after(theirs, carl, { verb: 'respond', payload: 7 });
    expect(offerTo(matterOf(held, carl)).may).toEqual(['undo']);
    expect(only(made(held, takenBack(held, carl)))).not.toHaveProperty('claim');
  });

  verifies('APR-5', 'taken back twice is taken back once', () => {
    const batch = after(slip(), rita, { verb: 'approve' });
    const open = made(batch, takenBack(batch, rita));
    const again = undo(matterOf(open, rita), only(batch).rev);
    expect(again.ok && isNoChange(again.value)).toBe(true);
    expect(undo(matterOf(open, rolf), only(batch).rev)).toMatchObject({ refusal: { code: 'FORBIDDEN' } });
  });
});

describe('the end of a hold', () => {
  verifies('APR-37', 'makes the answer stand as it was given, whoever looks and however late', () => {
    const batch = after(slip(), rita, { verb: 'approve' });
    const { heldUntil, decision, expiresAt } = heldIn(batch);
    expect(nextDue(batch)).toBe(heldUntil);
    expect(applyDue(batch, heldUntil - 1)).toEqual({ tasks: [], news: [] });
    for (const now of [heldUntil, expiresAt + 1]) {
      const change = applyDue(batch, now);
      expect(change?.news.map(({ action }) => action)).toEqual(['decided', 'ready']);
      const stood = withChange(batch, change ?? { tasks: [], news: [] });
      expect(only(stood)).toMatchObject({ status: 'settled', decision });
      expect(only(stood)).not.toHaveProperty('before');
      expect(stood.status).toEqual({ state: 'ready', attempt: 0, notBefore: now });
    }
  });

  verifies('APR-38', 'lets the run have the name of the input that completed the batch', () => {
    const batch = slip();
    const judged = judge(batch, rita, { verb: 'approve' });
    const held = withChange(
      batch,
      awaitedAs(batch, judged.ok ? judged.value : { tasks: [], news: [] }, 'mine'),
    );
    const { heldUntil } = heldIn(held);
    const stood = applyDue(held, heldUntil);
    expect(stood?.status).toMatchObject({ state: 'ready', runId: 'mine' });
    const undone = made(held, takenBack(held, rita));
    const again = after(undone, rita, { verb: 'reject' }, AT + 2);
    expect(applyDue(again, AT + 2 + UNDO_MS)?.status).not.toHaveProperty('runId');
  });

  verifies('APR-38', 'an input that leaves another question open names no run', () => {
    const two = opened({ interrupts: ['a', 'b'].map((id) => ({ id, reason: 'bank:slip' })) });
    const [first] = two.tasks;
    const matter = { ...matterOf(two, rita), ...(first ? { task: first } : {}) };
    const judged = decide(matter, { verb: 'respond', payload: 1 }, () => matter.task.ruling);
    const change = judged.ok ? judged.value : { tasks: [], news: [] };
    expect(awaitedAs(two, change, 'mine')).toEqual(change);
  });
});
