import { verifies } from '../../../../test/spec/verifies.js';
import { matterOf, NOON, olga, only, opened, rita, rolf, ruleOnTransfer } from '../../test/bank.js';
import type { Batch } from './batch.js';
import { NO_CHANGE, withChange, type Change } from './change.js';
import { decide } from './decide.js';
import { planDispatch } from './dispatch.js';
import { applyDue } from './due.js';
import type { ResumeEnd } from './failure-classes.js';
import { MAX_ATTEMPTS, retryDelay, statusAfter } from './settlement.js';
import { retry } from './mend.js';
import { resumeEntries } from './resume-entries.js';

const HOUR = 3_600_000;
const confirm = (id: string, expiresAt?: number) => ({
  id,
  reason: 'confirmation',
  ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
});

const judged = (batch: Batch, i: number, command: Parameters<typeof decide>[1], actor = rita): Batch => {
  const task = batch.tasks[i];
  if (!task) throw new Error('no such task');
  const change = decide(matterOf(batch, actor, { task }), command, ruleOnTransfer);
  if (!change.ok) throw new Error(change.refusal.code);
  return withChange(batch, change.value);
};
const planned = (batch: Batch, now: number, runId = 'fresh'): Change => {
  const change = planDispatch(batch, now, runId);
  if (!change) throw new Error('nothing to dispatch');
  return change;
};

const ready = (): Batch => judged(opened({ interrupts: [confirm('a')] }), 0, { verb: 'approve' });
const underWay = (attempt: number): Batch => ({
  ...ready(),
  status: { state: 'running', attempt, runId: 'r' },
});

describe('resuming', () => {
  verifies('APR-12', 'every interrupt once, in the agent’s order, with the hub’s own metadata', () => {
    const asked = opened({
      interrupts: [confirm('c'), confirm('a'), confirm('b'), { id: 'd', reason: 'bank:ask' }],
    });
    let batch = judged(asked, 3, { verb: 'respond', payload: { n: 1 } });
    batch = judged(batch, 1, { verb: 'reject', reason: 'No.' });
    batch = judged(batch, 2, { verb: 'cancel' }, olga);
    batch = judged(batch, 0, { verb: 'approve' }, rolf);
    const entries = resumeEntries(batch);
    expect(entries.map(({ interruptId, status, payload }) => [interruptId, status, payload])).toEqual([
      ['c', 'resolved', { approved: true }],
      ['a', 'resolved', { approved: false, reason: 'No.' }],
      ['b', 'cancelled', undefined],
      ['d', 'resolved', { n: 1 }],
    ]);
    for (const { metadata } of entries)
      expect(metadata?.hub).toMatchObject({
        decisionId: expect.stringMatching(/^[\w-]{22}$/),
        actor: expect.any(String),
        decidedAt: NOON + 1,
        proposalHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        payloadHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
    expect('payload' in (entries[2] ?? {})).toBe(false);
    expect(resumeEntries(batch)).toEqual(entries);
  });

  verifies('APR-12', 'a reason without room in the schema travels in the metadata', () => {
    const responseSchema = {
      type: 'object',
      properties: { approved: { type: 'boolean' } },
      additionalProperties: false,
    };
    const batch = judged(opened({ interrupts: [{ ...confirm('a'), responseSchema }] }), 0, {
      verb: 'reject',
      reason: 'No.',
    });
    expect(resumeEntries(batch)).toMatchObject([
      { payload: { approved: false }, metadata: { hub: { reason: 'No.' } } },
    ]);
  });

  it('never writes entries of a batch that is not settled', () => {
    expect(() => resumeEntries(opened({ interrupts: [confirm('a')] }))).toThrow('not settled');
  });

  verifies(
    'APR-15',
    'only a ready batch is sent, not before its time, and every attempt has a run of its own',
    () => {
      expect(planDispatch(opened({ interrupts: [confirm('a')] }), NOON, 'r')).toBeUndefined();
      expect(planDispatch(ready(), NOON, 'r')).toBeUndefined();
      const sent = withChange(ready(), planned(ready(), NOON + 1, 'r1'));
      expect(sent.status).toEqual({ state: 'dispatching', attempt: 1, runId: 'r1' });
      expect(planDispatch(sent, NOON + 2, 'r2')).toBeUndefined();
    },
  );

  verifies('APR-15', 'the agent’s deadline itself is already too late; the moment before is not', () => {
    const deadline = NOON + 1_000;
    const batch = judged(opened({ interrupts: [confirm('a', deadline)] }), 0, { verb: 'approve' });
    const sentAt = (now: number) => resumeEntries(withChange(batch, planned(batch, now)))[0]?.status;
    expect([sentAt(deadline - 1), sentAt(deadline)]).toEqual(['resolved', 'cancelled']);
  });

  verifies(
    'APR-15',
    'what was decided in time but is sent too late for the agent is sent as cancelled',
    () => {
      const batch = judged(opened({ interrupts: [confirm('a', NOON + 1_000), confirm('b')] }), 0, {
        verb: 'approve',
      });
      const late = withChange(batch, applyDue(batch, NOON + HOUR));
      const sent = withChange(late, planned(late, NOON + HOUR));
      expect(resumeEntries(sent)).toMatchObject([
        { interruptId: 'a', status: 'cancelled', metadata: { hub: { cause: 'expired' } } },
        { interruptId: 'b', status: 'cancelled', metadata: { hub: { cause: 'expired' } } },
      ]);
    },
  );

  verifies('APR-15', 'a rule’s own time ends the asking, not an answer given within it', () => {
    const batch = judged(opened({ interrupts: [confirm('a'), confirm('b')] }), 0, { verb: 'approve' });
    const late = withChange(batch, applyDue(batch, NOON + HOUR));
    expect(resumeEntries(withChange(late, planned(late, NOON + HOUR))).map(({ status }) => status)).toEqual([
      'resolved',
      'cancelled',
    ]);
  });

  verifies('APR-15', 'a run’s wished name is taken while it can be had, then the answer matters more', () => {
    const wished: Batch = {
      ...ready(),
      status: { state: 'ready', attempt: 0, notBefore: NOON, runId: 'wished' },
    };
    expect(planned(wished, NOON + 1).status).toMatchObject({ runId: 'wished' });
    expect(planned(wished, NOON + 60_000).status).toMatchObject({ runId: 'fresh' });
  });

  verifies('APR-22', 'all expired under `hold` is blocked; anything else is sent', () => {
    const careful = (expiresAt?: number) =>
      opened({ agentId: 'careful', interrupts: [confirm('a', expiresAt), confirm('b', expiresAt)] });
    const end = NOON + HOUR;
    expect(applyDue(careful(), end).status).toEqual({ state: 'blocked', why: 'all-expired' });
    expect(applyDue(opened({ interrupts: [confirm('a')] }), end).status).toMatchObject({ state: 'ready' });
    const one = judged(careful(), 0, { verb: 'approve' });
    expect(applyDue(one, end).status).toMatchObject({ state: 'ready' });
    const both = judged(judged(careful(NOON + 1_000), 0, { verb: 'approve' }), 1, { verb: 'approve' });
    expect(planned(both, end).status).toEqual({ state: 'blocked', why: 'all-expired' });
  });

  const ENDS: readonly (readonly [end: ResumeEnd, attempt: number, state: string])[] = [
    [{ outcome: 'success', sent: true, idempotent: false }, 1, 'done'],
    [{ outcome: 'interrupt', sent: true, idempotent: false }, 1, 'done'],
    [{ outcome: 'cancelled', sent: true, idempotent: false }, 1, 'done'],
    [{ outcome: 'error', sent: false, idempotent: false }, 1, 'ready'],
    [{ outcome: 'error', sent: false, idempotent: false }, MAX_ATTEMPTS, 'retry_wait'],
    [{ outcome: 'error', sent: true, idempotent: true, code: 'E' }, 1, 'retry_wait'],
    [{ outcome: 'error', sent: true, idempotent: true }, 1, 'retry_wait'],
    [{ outcome: 'error', sent: true, idempotent: true, code: 'hub/upstream-truncated' }, 1, 'ready'],
    [{ outcome: 'error', sent: true, idempotent: true, code: 'hub/timeout-idle' }, 1, 'ready'],
    [{ outcome: 'error', sent: true, idempotent: true, code: 'hub/agent-unavailable' }, 1, 'ready'],
    [{ outcome: 'error', sent: true, idempotent: true, code: 'hub/protocol-violation' }, 1, 'unknown'],
    [{ outcome: 'error', sent: true, idempotent: true, code: 'hub/too-large' }, 1, 'unknown'],
    [{ outcome: 'lost', sent: true, idempotent: true }, 1, 'ready'],
    [{ outcome: 'lost', sent: true, idempotent: true }, MAX_ATTEMPTS, 'retry_wait'],
    [{ outcome: 'error', sent: true, idempotent: false, code: 'RATE_LIMIT' }, 1, 'retry_wait'],
    [{ outcome: 'error', sent: true, idempotent: false, code: 'hub/timeout-idle' }, 1, 'unknown'],
    [{ outcome: 'lost', sent: true, idempotent: false, code: 'hub/runner-lost' }, 1, 'unknown'],
  ];
  for (const [end, attempt, state] of ENDS)
    verifies(
      'APR-16',
      `${end.outcome} ${end.code ?? ''}, ${end.sent ? 'sent' : 'never sent'}, ${end.idempotent ? 'idempotent' : 'once only'}, attempt ${attempt}: ${state}`,
      () => {
        expect(statusAfter(underWay(attempt), end, NOON)).toMatchObject({ state });
      },
    );

  verifies(
    'APR-16',
    'the next attempt waits longer each time, and keeps the run’s name only if it was never sent',
    () => {
      const delays = Array.from({ length: 12 }, (_, i) => retryDelay(i + 1));
      expect(delays.slice(0, 4)).toEqual([1_000, 2_000, 4_000, 8_000]);
      expect(Math.max(...delays)).toBe(300_000);
      const unsent = statusAfter(underWay(3), { outcome: 'error', sent: false, idempotent: false }, NOON);
      expect(unsent).toEqual({ state: 'ready', attempt: 3, notBefore: NOON + 4_000, runId: 'r' });
      const sent = statusAfter(underWay(3), { outcome: 'lost', sent: true, idempotent: true }, NOON);
      expect(sent).toEqual({ state: 'ready', attempt: 3, notBefore: NOON + 4_000 });
    },
  );

  verifies('APR-29', 'whatever its end, a batch remembers under which run it was answered last', () => {
    for (const [end] of ENDS)
      if (end.sent) {
        const status = statusAfter(underWay(1), end, NOON);
        if (status?.state !== 'ready') expect(status).toMatchObject({ runId: 'r' });
      }
  });

  const waiting: readonly Batch['status'][] = [
    { state: 'retry_wait', attempt: 3, runId: 'r' },
    { state: 'unknown', attempt: 8 },
    { state: 'blocked', why: 'all-expired' },
  ];
  for (const status of waiting)
    verifies(
      'APR-29',
      `an operator sets a batch going that is ${status.state}, and the history says who`,
      () => {
        const batch = { ...ready(), status };
        const { attempt = 0 } = 'attempt' in status ? status : {};
        const change = retry(batch, { by: 'olga', now: NOON + HOUR });
        if (!change.ok) throw new Error(change.refusal.code);
        const again = withChange(batch, change.value);
        expect(again.status).toEqual({ state: 'ready', attempt, notBefore: NOON + HOUR });
        expect(only(again).history.at(-1)).toEqual({ at: NOON + HOUR, by: 'olga', action: 'retry' });
        expect(only(again)).toMatchObject({ rev: only(batch).rev, decision: only(batch).decision });
        expect(resumeEntries(again)).toEqual(resumeEntries(batch));
        expect(planned(again, NOON + HOUR, 'r2').status).toEqual({
          ...{ state: 'dispatching', attempt: attempt + 1, runId: 'r2' },
        });
      },
    );

  verifies('APR-29', 'what goes by itself, or is done, is left as it is; what is open wants answers', () => {
    const going: readonly Batch['status'][] = [
      { state: 'ready', attempt: 1, notBefore: NOON },
      { state: 'dispatching', attempt: 1, runId: 'r' },
      { state: 'running', attempt: 1, runId: 'r' },
      { state: 'done', at: NOON },
    ];
    for (const status of going)
      expect(retry({ ...ready(), status }, { by: 'olga', now: NOON })).toEqual({
        ok: true,
        value: NO_CHANGE,
      });
    expect(retry(opened({ interrupts: [confirm('a')] }), { by: 'olga', now: NOON })).toMatchObject({
      refusal: { code: 'RESUME_REQUIRED', details: { open: ['a'] } },
    });
  });

  it('ignores the end of a run that is not this batch’s', () => {
    expect(statusAfter(ready(), { outcome: 'success', sent: true, idempotent: false }, NOON)).toBeUndefined();
    expect(only(ready()).status).toBe('settled');
  });
});
