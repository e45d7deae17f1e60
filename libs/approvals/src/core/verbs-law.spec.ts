/** In every life of a batch, whatever people do to its tasks: what has been answered stays answered, unless it is taken back in time. */
import type { Actor } from '@triptych/access';
import type { Result } from '@triptych/protocol';
import fc from 'fast-check';
import { verifies } from '../../../../test/spec/verifies.js';
import { carl, cora, NOON, olga, opened, policy, rita, rolf, sven } from '../../test/bank.js';
import { rulesOn } from '../shell/show.js';
import { assign } from './assign.js';
import type { Batch } from './batch.js';
import { withChange, type Change } from './change.js';
import { claim, heartbeat, release, takeover } from './claim.js';
import { comment } from './comment.js';
import type { DecideCommand } from './command.js';
import { decide } from './decide.js';
import { planDispatch } from './dispatch.js';
import { applyDue } from './due.js';
import { extend } from './extend.js';
import { undo } from './hold.js';
import { mayRead, type Matter } from './matter.js';
import type { Task } from './task.js';

const PEOPLE: readonly Actor[] = [rita, rolf, cora, sven, olga, carl];
const REASONS = ['bank:slip', 'bank:slips', 'bank:brief', 'bank:pair', 'confirmation'] as const;
const RUNS = 1_500;

interface Move {
  readonly who: number;
  readonly nth: number;
  readonly verb: keyof typeof VERBS;
  readonly later: number;
  readonly pick: number;
}

const decided = (matter: Matter, command: DecideCommand): Result<Change> =>
  decide(matter, { ...command, rev: matter.task.rev }, (args) =>
    rulesOn(policy, matter.batch)(matter.task, args),
  );

/** `pick` makes one of few values, so that repeats and agreements happen. */
const VERBS = {
  claim,
  release,
  heartbeat,
  takeover: (matter: Matter) => takeover(matter, { rev: matter.task.rev, reason: 'Now.' }),
  comment: (matter: Matter) => comment(matter, 'Hm.'),
  assign: (matter: Matter, pick: number) =>
    assign(matter, { rev: matter.task.rev, ...(pick === 0 ? {} : { to: `p${pick}` }) }),
  extend: (matter: Matter, pick: number) =>
    extend(matter, { rev: matter.task.rev, dueAt: matter.now + 60_000 * (1 + pick) }),
  undo: (matter: Matter) => undo(matter, matter.task.rev),
  approve: (matter: Matter) => decided(matter, { verb: 'approve' }),
  respond: (matter: Matter, pick: number) => decided(matter, { verb: 'respond', payload: pick % 2 }),
  reject: (matter: Matter) => decided(matter, { verb: 'reject', reason: 'No.' }),
  cancel: (matter: Matter) => decided(matter, { verb: 'cancel' }),
} as const;

const move: fc.Arbitrary<Move> = fc.record({
  who: fc.nat(PEOPLE.length - 1),
  nth: fc.nat(2),
  verb: fc.constantFrom(
    ...(Object.keys(VERBS) as (keyof typeof VERBS)[]),
    ...(['approve', 'respond', 'undo', 'undo'] as const),
  ),
  later: fc.constantFrom(0, 1, 40, 149, 150, 59_999, 60_000, 400_000),
  pick: fc.nat(2),
});

const lawfulTurn = (before: Task, after: Task, { actor, now }: { actor: Actor; now: number }): void => {
  expect(after.rev).toBeGreaterThanOrEqual(before.rev);
  expect(new Set(after.votes.map(({ by }) => by)).size).toBe(after.votes.length);
  if (before.status === 'settled')
    expect(after).toMatchObject({ status: 'settled', decision: before.decision });
  if (after.status === 'held') expect(after.heldUntil).toBeLessThan(after.expiresAt);
  if (before.status !== 'held') return;
  if (after.status !== 'open') return expect(after.decision).toEqual(before.decision);
  expect(now).toBeLessThan(before.heldUntil);
  expect(before.decision.by.includes(actor.subject) || actor === sven).toBe(true);
  expect(after.rev).toBe(before.rev + 1);
  expect(after.votes.filter(({ by }) => before.decision.by.includes(by))).toEqual([]);
};

const sendable = (batch: Batch, now: number): void => {
  const plan = planDispatch(batch, now, 'run-2');
  const isWhole = batch.tasks.every(({ status }) => status === 'settled');
  expect(plan !== undefined && plan.status?.state === 'dispatching').toBe(
    isWhole && batch.status.state === 'ready',
  );
  expect(batch.status.state === 'open').toBe(!isWhole);
};

describe('whatever people do to tasks', () => {
  verifies('APR-44', 'what is answered stands, what is open is not sent, and no vote counts twice', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...REASONS), { minLength: 1, maxLength: 3 }),
        fc.array(move, { minLength: 4, maxLength: 30 }),
        (reasons, moves) => {
          let batch = opened({ interrupts: reasons.map((reason, i) => ({ id: `i${i}`, reason })) });
          let now = NOON + 1;
          for (const { who, nth, verb, later, pick } of moves) {
            now += later;
            const actor = PEOPLE[who] ?? rita;
            const task = batch.tasks[nth % batch.tasks.length];
            if (!task) continue;
            const matter = { batch, task, actor, now };
            const judged = mayRead(matter) ? VERBS[verb](matter, pick) : undefined;
            const change = judged?.ok ? judged.value : applyDue(batch, now);
            const after = withChange(batch, change);
            for (const [i, was] of batch.tasks.entries()) {
              const is = after.tasks[i];
              if (is) lawfulTurn(was, is, { actor, now });
            }
            batch = after;
            sendable(batch, now);
          }
        },
      ),
      { numRuns: RUNS },
    );
  });
});
