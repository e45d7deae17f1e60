/** In every history of a batch: what leaves for the agent is a lawful resume. */
import fc from 'fast-check';
import { verifies } from '../../../../test/spec/verifies.js';
import { matterOf, NOON, olga, opened, rita, rolf, ruleOnTransfer } from '../../test/bank.js';
import type { Batch } from './batch.js';
import { withChange } from './change.js';
import type { DecideCommand } from './command.js';
import { decide } from './decide.js';
import { planDispatch } from './dispatch.js';
import { applyDue } from './due.js';
import type { ResumeEnd } from './failure-classes.js';
import { statusAfter } from './settlement.js';
import { instantOf } from './instant.js';
import { resumeEntries } from './resume-entries.js';
import type { Task } from './task.js';

const MINUTE = 60_000;
/** Of the histories that are counted: the same at each run. */
const SEED = 1;

const interrupt = fc.record({
  reason: fc.constantFrom('confirmation', 'bank:ask', 'bank:pair'),
  deadline: fc.option(fc.integer({ min: -5, max: 90 })),
});
const END: fc.Arbitrary<ResumeEnd> = fc.record({
  outcome: fc.constantFrom('success', 'interrupt', 'cancelled', 'error', 'lost'),
  sent: fc.boolean(),
  idempotent: fc.boolean(),
});
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('decide' as const),
      task: fc.nat(3),
      answer: fc.constantFrom('yes', 'yes', 'no', 'cancel'),
      who: fc.constantFrom(rita, rolf, olga),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 20 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('send' as const), end: END }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const openWith = (interrupts: readonly { reason: string; deadline: number | null }[]): Batch =>
  opened({
    interrupts: interrupts.map(({ reason, deadline }, i) => ({
      id: `i${i}`,
      reason,
      ...(deadline === null ? {} : { expiresAt: new Date(NOON + deadline * MINUTE).toISOString() }),
    })),
  });

interface World {
  readonly batch: Batch;
  readonly now: number;
  readonly sent: readonly { readonly at: number; readonly batch: Batch; readonly mayHaveArrived: boolean }[];
}

const commandFor = (task: Task, answer: 'yes' | 'no' | 'cancel'): DecideCommand => {
  if (answer === 'cancel') return { verb: 'cancel' };
  if (task.kind === 'question') return { verb: 'respond', payload: answer };
  return { verb: answer === 'yes' ? 'approve' : 'reject' };
};

const decided = (world: World, { task: index, answer, who }: Extract<Step, { kind: 'decide' }>): World => {
  const task = world.batch.tasks[index % world.batch.tasks.length];
  if (!task) return world;
  const matter = matterOf(world.batch, who, { task, now: world.now });
  const judged = decide(matter, commandFor(task, answer), ruleOnTransfer);
  const change = judged.ok ? judged.value : applyDue(world.batch, world.now);
  return { ...world, batch: withChange(world.batch, change) };
};

const delivered = (world: World, end: ResumeEnd): World => {
  const plan = planDispatch(world.batch, world.now, `run-${world.sent.length}`);
  if (!plan) return world;
  const batch = withChange(world.batch, plan);
  if (batch.status.state !== 'dispatching') return { ...world, batch };
  const status = statusAfter(batch, end, world.now);
  const sent = { at: world.now, batch, mayHaveArrived: end.sent && !end.idempotent };
  return { ...world, batch: status ? { ...batch, status } : batch, sent: [...world.sent, sent] };
};

const play = (world: World, next: Step): World => {
  if (next.kind === 'decide') return decided(world, next);
  if (next.kind === 'send') return delivered(world, next.end);
  const now = world.now + next.minutes * MINUTE;
  return { ...world, now, batch: withChange(world.batch, applyDue(world.batch, now)) };
};

const lawful = ({ at, batch }: World['sent'][number], deadlines: ReadonlyMap<string, number>): void => {
  const entries = resumeEntries(batch);
  expect(entries.map(({ interruptId }) => interruptId)).toEqual(
    batch.tasks.map(({ interruptId }) => interruptId),
  );
  for (const { interruptId, status, payload } of entries) {
    if (status === 'cancelled') expect(payload).toBeUndefined();
    else expect([interruptId, payload]).not.toEqual([interruptId, undefined]);
    if (status === 'resolved') expect(at).toBeLessThan(deadlines.get(interruptId) ?? Infinity);
  }
};

const HISTORIES = fc.tuple(
  fc.array(interrupt, { minLength: 1, maxLength: 4 }),
  fc.array(step, { minLength: 8, maxLength: 40 }),
);
type History = typeof HISTORIES extends fc.Arbitrary<infer H> ? H : never;
const worldOf = ([asked, steps]: History): World =>
  steps.reduce(play, { batch: openWith(asked), now: NOON + 1, sent: [] });

describe('the law of resumes', () => {
  verifies(
    'APR-12',
    'no entry is missing, extra, twice, or resolved after its deadline; none goes twice that may have arrived',
    () => {
      fc.assert(
        fc.property(HISTORIES, (history) => {
          const [asked] = history;
          const world = worldOf(history);
          const deadlines = new Map(
            asked.map(({ deadline }, i) => [
              `i${i}`,
              deadline === null
                ? Infinity
                : (instantOf(new Date(NOON + deadline * MINUTE).toISOString()) ?? 0),
            ]),
          );
          for (const sent of world.sent) lawful(sent, deadlines);
          expect(world.sent.slice(0, -1).filter(({ mayHaveArrived }) => mayHaveArrived)).toEqual([]);
        }),
        { numRuns: 2_000 },
      );
    },
  );

  verifies('APR-12', 'is tried by histories that send, send again, and resolve', () => {
    const worlds = fc.sample(HISTORIES, { numRuns: 2_000, seed: SEED }).map(worldOf);
    const entries = worlds.flatMap(({ sent }) => sent.flatMap(({ batch }) => resumeEntries(batch)));
    expect(worlds.filter(({ sent }) => sent.length > 0).length).toBeGreaterThan(0);
    expect(worlds.filter(({ sent }) => sent.length > 1).length).toBeGreaterThan(0);
    expect(entries.filter(({ status }) => status === 'resolved').length).toBeGreaterThan(0);
  });
});
