/** What becomes of a batch whose answers came to nothing: by itself, and by an operator's word. */
import { verifies } from '../../../../test/spec/verifies.js';
import { APPROVAL_SCHEMA, matterOf, NOON, opened, rita, ruleOnTransfer, rolf } from '../../test/bank.js';
import type { Batch, BatchStatus } from './batch.js';
import { batchView } from './batch-view.js';
import { NO_CHANGE, withChange, type Change } from './change.js';
import { decide } from './decide.js';
import { agentGone, planDispatch } from './dispatch.js';
import { applyDue } from './due.js';
import { cancel, markDone, reopen, retry, type Mend } from './mend.js';
import { reopenRefused } from './reopen.js';
import { resumeEntries } from './resume-entries.js';
import { statusAfter } from './settlement.js';
import { stateOf, taskView } from './task-view.js';

const HOUR = 3_600_000;
const OLGA = { by: 'olga', now: NOON + 5, reason: 'Seen by hand.' };

const confirm = (id: string, expiresAt?: number) => ({
  id,
  reason: 'confirmation',
  responseSchema: APPROVAL_SCHEMA,
  ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
});

const answer = (batch: Batch, i: number, verb: 'approve' | 'reject' | 'cancel', actor = rita): Batch => {
  const task = batch.tasks[i];
  if (!task) throw new Error('no such task');
  const change = decide(matterOf(batch, actor, { task }), { verb }, ruleOnTransfer);
  if (!change.ok) throw new Error(change.refusal.code);
  return withChange(batch, change.value);
};

/** `a` approved, `b` rejected, `c` abandoned. */
const decided = (): Batch => {
  const asked = opened({ interrupts: [confirm('id-a'), confirm('id-b', NOON + HOUR), confirm('id-c')] });
  return answer(answer(answer(asked, 0, 'approve'), 1, 'reject'), 2, 'cancel');
};
const as = (status: BatchStatus, batch = decided()): Batch => ({ ...batch, status });
const running = (batch = decided()): Batch => as({ state: 'running', attempt: 1, runId: 'r' }, batch);

const failed = (code: string, over = {}): Batch => {
  const end = { outcome: 'error', sent: true, idempotent: false, code, ...over } as const;
  const status = statusAfter(running(), end, NOON + 2);
  if (!status) throw new Error('not settled');
  return as(status);
};

const done = (judge: Mend, batch: Batch): Batch => {
  const change = judge(batch, OLGA);
  if (!change.ok) throw new Error(change.refusal.code);
  return withChange(batch, change.value);
};
const must = (change: Change | undefined): Change => {
  if (!change) throw new Error('nothing changes');
  return change;
};
const states = (batch: Batch): readonly string[] => batch.tasks.map(({ status }) => status);

describe('an answer that the agent could not use', () => {
  const message = 'Bad payload for id-a: amount is missing.';

  verifies('APR-55', 'opens the question that the agent names, and no other', () => {
    for (const batch of [
      failed('INVALID_PAYLOAD', { message }),
      failed('INVALID_PAYLOAD', { message: 'No.', named: ['id-a'] }),
    ]) {
      const again = withChange(batch, must(reopenRefused(batch, NOON + 3)));
      expect(states(again)).toEqual(['open', 'settled', 'settled']);
      expect(again.status).toEqual({ state: 'open' });
      expect(again.tasks[0]).toMatchObject({
        rev: (batch.tasks[0]?.rev ?? 0) + 1,
        votes: [],
        expiresAt: NOON + 3 + HOUR,
      });
      expect(again.tasks[0]?.decision).toBeUndefined();
    }
  });

  verifies('APR-55', 'opens every answered question where none is named; what was abandoned stays so', () => {
    const batch = failed('INVALID_PAYLOAD', { message: 'Bad payload for a.' });
    expect(states(withChange(batch, must(reopenRefused(batch, NOON + 3))))).toEqual([
      'open',
      'open',
      'settled',
    ]);
  });

  verifies('APR-55', 'is sent anew once it is answered anew, with the others as they were', () => {
    const batch = failed('INVALID_PAYLOAD', { message });
    const again = answer(withChange(batch, must(reopenRefused(batch, NOON + 3))), 0, 'reject', rolf);
    expect(again.status).toMatchObject({ state: 'ready', attempt: 0 });
    expect(resumeEntries(again).map(({ status, payload }) => [status, payload])).toEqual([
      ['resolved', { approved: false }],
      ['resolved', { approved: false }],
      ['cancelled', undefined],
    ]);
  });

  verifies('APR-55', 'is abandoned where its agent’s own deadline is over', () => {
    const batch = failed('INVALID_PAYLOAD', { named: ['id-b'] });
    const late = withChange(batch, must(reopenRefused(batch, NOON + HOUR)));
    expect(late.tasks[1]?.decision).toMatchObject({ kind: 'expired' });
    expect(late.status).toMatchObject({ state: 'ready' });
  });

  verifies('APR-55', 'tells the agent’s own words to operators alone', () => {
    const batch = failed('INVALID_PAYLOAD', { message });
    expect(batchView(batch)).toMatchObject({ code: 'INVALID_PAYLOAD', message });
    const again = withChange(batch, must(reopenRefused(batch, NOON + 3)));
    const [task] = again.tasks;
    if (!task) throw new Error('no task');
    const shown = (surface: 'operator' | 'reviewer'): string =>
      JSON.stringify(
        taskView(matterOf(again, rita, { task }), {
          ...{ surface, redact: (_tool, args) => args, showText: () => true, redacted: false },
          ...{ redactMatches: (_tool, matched) => matched, showsCall: () => true, showsSubagents: true },
          history: true,
        }),
      );
    expect(shown('operator')).toContain(message);
    expect(shown('reviewer')).not.toContain('amount is missing');
    expect(shown('reviewer')).toContain('"action":"reopen"');
  });

  verifies('APR-55', 'that held no payload waits for an operator', () => {
    const nothing = answer(opened({ interrupts: [confirm('id-a')] }), 0, 'cancel');
    const end = { outcome: 'error', sent: true, idempotent: false, code: 'INVALID_PAYLOAD' } as const;
    const status = statusAfter(running(nothing), end, NOON);
    expect(status).toEqual({ state: 'retry_wait', attempt: 1, runId: 'r', code: 'INVALID_PAYLOAD' });
    expect(reopenRefused(as(status!, nothing), NOON)).toBeUndefined();
  });
});

describe('a retry that names an attempt', () => {
  const said = (batch: Batch, attempt?: number) =>
    retry(batch, { ...OLGA, ...(attempt === undefined ? {} : { attempt }) });

  verifies('APR-100', 'goes on with that one alone: where another failed since, nothing is sent', () => {
    const batch = failed('E_DB');
    expect(said(batch, 1)).toMatchObject({ ok: true, value: { status: { state: 'ready' } } });
    expect(said(batch)).toMatchObject({ ok: true, value: { status: { state: 'ready' } } });
    const again = as({ state: 'unknown', attempt: 2, runId: 'r2' });
    expect(said(again, 1)).toMatchObject({
      refusal: { code: 'STALE_REVISION', details: { attempts: 2 } },
    });
    expect(said(running(), 1)).toEqual({ ok: true, value: NO_CHANGE });
  });
});

describe('a batch that its agent knows no more', () => {
  verifies('APR-56', 'is blocked, its tasks superseded, and nothing is sent by itself', () => {
    const batch = failed('UNKNOWN_INTERRUPT_ID');
    expect(batch.status).toMatchObject({ state: 'blocked', why: 'orphaned', attempt: 1 });
    expect(planDispatch(batch, NOON + HOUR, 'r2')).toBeUndefined();
    const state = (of: Batch) => of.tasks.map((task) => stateOf({ batch: of, task, now: NOON + 9 }));
    expect(state(batch)).toEqual(['superseded', 'superseded', 'superseded']);
    expect(state(done(markDone, batch))).toEqual(['superseded', 'superseded', 'superseded']);
    expect(state(done(markDone, failed('E_DB')))).toEqual(['closed', 'closed', 'closed']);
  });

  verifies('APR-56', 'or takes no more, or disputes, waits for an operator and says why', () => {
    expect(batchView(failed('INTERRUPT_EXPIRED'))).toMatchObject({ state: 'blocked', why: 'agent-expired' });
    expect(batchView(failed('PARTIAL_RESUME'))).toMatchObject({
      state: 'retry_wait',
      code: 'PARTIAL_RESUME',
    });
  });
});

describe('an agent that asks for patience', () => {
  verifies('APR-66', 'is asked again no sooner, and within the hour', () => {
    const busy = { atStart: true } as const;
    expect(failed('THREAD_BUSY', busy).status).toEqual({
      ...{ state: 'ready', attempt: 1, notBefore: NOON + 1_002 },
    });
    const unsent = (retryAfterMs: number) => failed('hub/agent-unavailable', { sent: false, retryAfterMs });
    expect(unsent(30_000).status).toMatchObject({ notBefore: NOON + 30_002, runId: 'r' });
    expect(unsent(9 * HOUR).status).toMatchObject({ notBefore: NOON + HOUR + 2 });
  });
});

describe('a batch whose agent this deployment does not know', () => {
  verifies('APR-57', 'waits for an operator, who sends it when the agent is back', () => {
    const batch = decided();
    expect(agentGone(failed('E_DB'), NOON + HOUR)).toBeUndefined();
    const waits = withChange(batch, must(agentGone(batch, NOON + 5)));
    expect(batchView(waits)).toMatchObject({
      ...{ state: 'retry_wait', code: 'hub/agent-unavailable', message: 'No agent is called teller here.' },
    });
    expect(resumeEntries(done(retry, waits))).toEqual(resumeEntries(batch));
  });
});

const STUCK: readonly Batch[] = [
  failed('E_DB'),
  failed('hub/timeout-idle'),
  failed('UNKNOWN_INTERRUPT'),
  failed('THREAD_BUSY', { atStart: true }),
];
const GOING: readonly Batch[] = [running(), as({ state: 'dispatching', attempt: 1, runId: 'r' })];
const over = (): Batch => as({ state: 'done', at: NOON, runId: 'r' });

describe('an operator', () => {
  verifies('APR-59', 'puts every question of a batch to people once more, under their name', () => {
    for (const batch of STUCK) {
      const again = done(reopen, batch);
      expect([states(again), again.status.state]).toEqual([['open', 'open', 'open'], 'open']);
      for (const task of again.tasks) {
        expect(task).toMatchObject({ votes: [], rev: 2 });
        expect(task.history.at(-1)).toMatchObject({ by: 'olga', action: 'reopen', text: 'Seen by hand.' });
        expect(task.history.map(({ action }) => action)).toContain('open');
      }
      expect(again.tasks.map(({ expiresAt }) => expiresAt)).toEqual([
        NOON + 5 + HOUR,
        NOON + HOUR,
        NOON + 5 + HOUR,
      ]);
      expect(reopen(again, OLGA)).toEqual({ ok: true, value: NO_CHANGE });
    }
  });

  verifies('APR-59', 'opens what expired under `hold`, but nothing that its agent takes no longer', () => {
    const held = opened({ agentId: 'careful', interrupts: [confirm('id-a')] });
    const blocked = withChange(held, applyDue(held, NOON + 2 * HOUR));
    const again = withChange(blocked, unwrap(reopen(blocked, { by: 'olga', now: NOON + 3 * HOUR })));
    expect(again.tasks[0]).toMatchObject({ status: 'open', expiresAt: NOON + 4 * HOUR });
    const dead = answer(opened({ interrupts: [confirm('id-a', NOON + 10)] }), 0, 'approve');
    const late = { by: 'olga', now: NOON + 10 };
    expect(reopen(as({ state: 'unknown', attempt: 1 }, dead), late)).toMatchObject({
      refusal: { code: 'EXPIRED' },
    });
  });

  verifies('APR-60', 'abandons every question, and the agent is told once', () => {
    for (const batch of [...STUCK, opened({ interrupts: [confirm('id-a'), confirm('id-b')] })]) {
      const abandoned = done(cancel, batch);
      expect(abandoned.status).toEqual({ state: 'ready', attempt: 0, notBefore: NOON + 5 });
      expect(new Set(resumeEntries(abandoned).map(({ status }) => status))).toEqual(new Set(['cancelled']));
      expect(abandoned.tasks[0]?.history.at(-1)).toMatchObject({ by: 'olga', text: 'Seen by hand.' });
      expect(cancel(abandoned, OLGA)).toEqual({ ok: true, value: NO_CHANGE });
      const sent = withChange(abandoned, must(planDispatch(abandoned, NOON + 6, 'r2')));
      expect(cancel(sent, OLGA)).toEqual({ ok: true, value: NO_CHANGE });
    }
  });

  verifies(
    'APR-61',
    'declares a batch done: nothing is sent any more, and the history says who and why',
    () => {
      for (const batch of STUCK) {
        const closed = done(markDone, batch);
        expect(closed.status).toMatchObject({ state: 'done', at: NOON + 5, by: 'olga' });
        expect(closed.tasks.map(({ history }) => history.at(-1))).toEqual(
          closed.tasks.map(() => ({ at: NOON + 5, by: 'olga', action: 'mark-done', text: 'Seen by hand.' })),
        );
        expect(planDispatch(closed, NOON + HOUR, 'r2')).toBeUndefined();
        expect(markDone(closed, OLGA)).toEqual({ ok: true, value: NO_CHANGE });
      }
    },
  );

  verifies('APR-61', 'touches nothing that is under way, and reopens nothing that is over', () => {
    for (const batch of GOING)
      for (const judge of [reopen, cancel, markDone])
        expect(judge(batch, OLGA)).toMatchObject({ refusal: { code: 'THREAD_BUSY' } });
    for (const judge of [reopen, cancel])
      expect(judge(over(), OLGA)).toMatchObject({ refusal: { code: 'ALREADY_DECIDED' } });
    expect(markDone(opened({ interrupts: [confirm('id-a')] }), OLGA)).toMatchObject({
      refusal: { code: 'RESUME_REQUIRED', details: { open: ['id-a'] } },
    });
  });
});

const unwrap = (result: ReturnType<Mend>): Change => {
  if (!result.ok) throw new Error(result.refusal.code);
  return result.value;
};
