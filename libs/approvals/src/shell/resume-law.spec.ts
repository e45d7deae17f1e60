/** In every history on the real store: what leaves for the agent is a lawful resume, whatever many people and processes did. */
import fc from 'fast-check';
import { ownDatabase } from '@triptych/testkit';
import { verifies } from '../../../../test/spec/verifies.js';
import { olga, rita, rolf } from '../../test/bank.js';
import { Counter, type OpenedRun } from '../../test/counter.js';
import type { ResumeEntry } from '@triptych/protocol';
import type { ResumeEnd } from '../core/failure-classes.js';

const DATABASE = ownDatabase();
const HISTORIES = 150;
const HISTORIES_MS = 300_000;
const PEOPLE = [rita, rolf, olga];
/** How long the shortest of the agent's deadlines are, ms; some are over before anybody answers. */
const DEADLINES = [-1_000, 20, 60_000, undefined];

const END: fc.Arbitrary<Partial<ResumeEnd>> = fc.record({
  outcome: fc.constantFrom('success', 'cancelled', 'error', 'lost'),
  sent: fc.boolean(),
  idempotent: fc.constant(false),
});
const STEP = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('decide' as const),
      task: fc.nat(3),
      who: fc.constantFrom(...PEOPLE),
      verb: fc.constantFrom('approve' as const, 'approve' as const, 'reject' as const, 'cancel' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sweep' as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('send' as const), end: END }) },
);
type Step = typeof STEP extends fc.Arbitrary<infer S> ? S : never;

interface Sent {
  /** The store's time before it was planned, ms. */
  readonly notBefore: number;
  readonly resume: readonly ResumeEntry[];
  readonly mayHaveArrived: boolean;
}

const storeNow = async ({ redis }: Counter): Promise<number> => Number((await redis.time())[0]) * 1_000;

/** One process does one thing, whatever the others do meanwhile. */
const act = async (counter: Counter, run: OpenedRun, step: Step): Promise<Sent | undefined> => {
  if (step.kind === 'sweep') return void (await counter.approvals.sweep());
  if (step.kind === 'decide') {
    const taskId = run.taskIds[step.task % run.taskIds.length] ?? '';
    return void (await counter.approvals.decide(step.who, taskId, { verb: step.verb, rev: 1 }));
  }
  const notBefore = await storeNow(counter);
  const plan = await counter.approvals.planDispatch(run.batchId);
  if (!plan || !(await counter.store(run.threadId, plan))) return undefined;
  await counter.end(run, step.end);
  const { outcome, sent } = { outcome: 'success', sent: true, ...step.end };
  return {
    notBefore,
    resume: plan.resume,
    mayHaveArrived: sent || outcome === 'success' || outcome === 'cancelled',
  };
};

const lawful = ({ notBefore, resume }: Sent, deadlines: readonly (number | undefined)[]): void => {
  expect(resume.map(({ interruptId }) => interruptId)).toEqual(deadlines.map((_, nth) => `i${nth}`));
  for (const [nth, { status, payload }] of resume.entries()) {
    if (status === 'cancelled') expect(payload).toBeUndefined();
    else expect({ payload, late: (deadlines[nth] ?? Infinity) <= notBefore }).toMatchObject({ late: false });
  }
};

describe('the law of resumes, on the store', () => {
  const counters: Counter[] = [];
  beforeAll(async () => {
    for (let nth = 0; nth < 3; nth += 1) counters.push(await Counter.start(DATABASE));
    await counters[0]?.redis.flushdb();
  });
  afterAll(async () => {
    for (const counter of counters) await counter.close();
  });

  verifies(
    'APR-12',
    'three processes at once: no entry is missing, extra, twice, or resolved after its deadline; none goes twice that may have arrived',
    async () => {
      const history = fc.record({
        asked: fc.array(fc.constantFrom(...DEADLINES), { minLength: 1, maxLength: 4 }),
        turns: fc.array(fc.tuple(STEP, STEP, STEP), { minLength: 4, maxLength: 12 }),
      });
      await fc.assert(
        fc.asyncProperty(history, async ({ asked, turns }) => {
          const [first] = counters;
          if (!first) throw new Error('no counter');
          const now = Date.now();
          const deadlines = asked.map((ms) => (ms === undefined ? undefined : now + ms));
          const interrupts = deadlines.map((at, nth) => ({
            id: `i${nth}`,
            reason: 'confirmation',
            ...(at === undefined ? {} : { expiresAt: new Date(at).toISOString() }),
          }));
          const run = await first.open({ interrupts });
          const sent: Sent[] = [];
          for (const turn of turns) {
            const done = await Promise.all(turn.map((step, nth) => act(counters[nth] ?? first, run, step)));
            sent.push(...done.filter((one) => one !== undefined));
          }
          for (const one of sent) lawful(one, deadlines);
          expect(sent.slice(0, -1).filter(({ mayHaveArrived }) => mayHaveArrived)).toEqual([]);
        }),
        { numRuns: HISTORIES },
      );
    },
    HISTORIES_MS,
  );
});
