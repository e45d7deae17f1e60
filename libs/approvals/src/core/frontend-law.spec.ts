/** In every history of a batch of frontend calls: what leaves for the agent answers each call once, and approves nothing by itself. */
import fc from 'fast-check';
import type { ToolMessage } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import { matterOf, NOON, olga, opened, rita, rolf, ruleOnTransfer } from '../../test/bank.js';
import { callsWaiting, type Batch } from './batch.js';
import { withChange } from './change.js';
import { decide } from './decide.js';
import { planDispatch } from './dispatch.js';
import { applyDue } from './due.js';
import { takeAnswers } from './frontend-calls.js';
import { resumeEntries } from './resume-entries.js';
import { statusAfter } from './settlement.js';
import { toolMessages } from './tool-messages.js';

const MINUTE = 60_000;
/** Of the histories that are counted: the same at each run. */
const SEED = 1;
/** Half of them are people's to answer. */
const TOOLS = ['payOut', 'pickSeat'] as const;

const step = fc.oneof(
  fc.record({
    kind: fc.constant('decide' as const),
    task: fc.nat(4),
    verb: fc.constantFrom('approve' as const, 'approve' as const, 'reject' as const, 'cancel' as const),
    who: fc.constantFrom(rita, rolf, olga),
  }),
  fc.record({ kind: fc.constant('answer' as const) }),
  fc.record({ kind: fc.constant('wait' as const), minutes: fc.constantFrom(1, 10, 20, 60 * 24 * 31) }),
  fc.record({ kind: fc.constant('send' as const), arrives: fc.boolean() }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

interface World {
  readonly batch: Batch;
  readonly now: number;
  readonly approved: ReadonlySet<string>;
  readonly sent: readonly (readonly ToolMessage[])[];
}

const own = (toolCallId: string): ToolMessage => ({
  id: `own-${toolCallId}`,
  role: 'tool',
  toolCallId,
  content: '"mine"',
});

const decided = (world: World, { task: nth, verb, who }: Extract<Step, { kind: 'decide' }>): World => {
  const task = world.batch.tasks[nth % Math.max(1, world.batch.tasks.length)];
  if (!task) return world;
  const { rev, proposalHash } = task;
  const matter = matterOf(world.batch, who, { task, now: world.now });
  const judged = decide(matter, { verb, rev, proposalHash }, ruleOnTransfer);
  if (!judged.ok) return world;
  const yes = judged.value.tasks.flatMap(({ decision, interruptId }) =>
    decision?.kind === 'approved' ? [interruptId] : [],
  );
  const batch = withChange(world.batch, judged.value);
  return { ...world, batch, approved: new Set([...world.approved, ...yes]) };
};

const answered = (world: World): World => {
  const answers = callsWaiting(world.batch).map(own);
  if (answers.length === 0) return world;
  const change = takeAnswers(world.batch, { answers, by: 'carl', now: world.now });
  return { ...world, batch: withChange(world.batch, change) };
};

const sent = (world: World, arrives: boolean): World => {
  const plan = planDispatch(world.batch, world.now, `run-${world.sent.length}`);
  if (!plan) return world;
  const batch = withChange(world.batch, plan);
  const messages = toolMessages({ batch, entries: resumeEntries(batch) });
  const end = { outcome: arrives ? 'success' : 'error', sent: arrives, idempotent: false } as const;
  const status = statusAfter(batch, end, world.now) ?? batch.status;
  return { ...world, batch: { ...batch, status }, sent: [...world.sent, messages] };
};

const play = (world: World, next: Step): World => {
  switch (next.kind) {
    case 'decide':
      return decided(world, next);
    case 'answer':
      return answered(world);
    case 'send':
      return sent(world, next.arrives);
    case 'wait': {
      const now = world.now + next.minutes * MINUTE;
      return { ...world, now, batch: withChange(world.batch, applyDue(world.batch, now)) };
    }
  }
};

const openWith = (names: readonly string[]): Batch =>
  opened({
    interrupts: [],
    pending: names.map((_, nth) => `c${nth}`),
    calls: Object.fromEntries(names.map((name, nth) => [`c${nth}`, { name, argsText: '{"amount":5}' }])),
  });

const isApproval = ({ content, error }: ToolMessage): boolean =>
  error === undefined && (JSON.parse(content as string) as { approved?: unknown }).approved === true;

type History = readonly [names: readonly string[], steps: readonly Step[]];
const HISTORIES: fc.Arbitrary<History> = fc.tuple(
  fc
    .array(fc.constantFrom(...TOOLS), { minLength: 1, maxLength: 5 })
    .filter((names) => names.includes('payOut')),
  fc.array(step, { minLength: 8, maxLength: 30 }),
);
const worldOf = ([names, steps]: History): World =>
  steps.reduce(play, { batch: openWith(names), now: NOON + 1, approved: new Set<string>(), sent: [] });

describe('the law of answers to frontend calls', () => {
  verifies(
    'APR-48',
    'each call is answered once, in order, and approved by nobody but people; a retry says the same',
    () => {
      fc.assert(
        fc.property(HISTORIES, (history) => {
          const [names] = history;
          const world = worldOf(history);
          for (const messages of world.sent) {
            expect(messages.map(({ toolCallId }) => toolCallId)).toEqual(names.map((_, nth) => `c${nth}`));
            for (const message of messages)
              if (isApproval(message)) expect(world.approved).toContain(message.toolCallId);
            expect(messages).toEqual(world.sent[0]);
          }
        }),
        { numRuns: 1_000 },
      );
    },
  );

  verifies('APR-48', 'is tried by histories that send, send again, and approve', () => {
    const worlds = fc.sample(HISTORIES, { numRuns: 1_000, seed: SEED }).map(worldOf);
    const sends = worlds.flatMap(({ sent: all }) => all);
    expect(sends.length).toBeGreaterThan(0);
    expect(worlds.filter(({ sent: all }) => all.length > 1).length).toBeGreaterThan(0);
    expect(sends.flat().filter(isApproval).length).toBeGreaterThan(0);
  });
});
