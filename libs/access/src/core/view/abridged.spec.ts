import { SURFACES, abridge, emptyModel, modelStep, prelude } from '@triptych/protocol';
import type { AguiEvent, LogEntry, Model, Surface, ToldEntry } from '@triptych/protocol';
import fc from 'fast-check';
import { richLog } from '../../../../protocol/test/rich-streams.js';
import { verifies } from '../../../../../test/spec/verifies.js';
import { StreamAuthor } from '../../../../../test/streams/legal-stream.js';
import { restating } from '../../../../../test/streams/restating.js';
import { POLICY, policyOf } from '../../../../../test/streams/see-as.js';
import type { Policy } from '../policy.js';
import { beginView, viewStep } from './view-step.js';
import type { View } from './view.js';

const THREAD = { agentId: 'bank', tenant: 'default' };
const POLICIES: readonly Policy[] = [
  POLICY,
  policyOf(`
surfaces:
  customer:
    state: [/shown, /list/*/name, /n, /x]
    redact: [/shown/secret]
    tools: { look: { label: Looking, args: [/a], result: [/status], redact: [/a/secret] }, pay: {} }
    steps: { one: Step one, two: Step two, plan: risk, "*": "*" }
    custom: ["GEN*", x/y]
    activities: [PLAN]
  reviewer:
    state: [""]
    redact: [/shown/secret]
    tools: { "*": { args: [""], result: [""], redact: [/a/secret] } }
    custom: ["*"]
    activities: ["*"]
    reasoning: true
`),
];

interface Standing {
  readonly view: View;
  readonly model: Model;
  readonly place: string;
  readonly shown: readonly AguiEvent[];
}

const entriesOf = (events: readonly AguiEvent[]): readonly LogEntry[] =>
  events.map((event, index) => ({
    seq: index + 1,
    at: 1_700_000_000_000 + index,
    source: event.type === 'RUN_STARTED' || index % 5 === 0 ? 'hub' : 'agent',
    event,
    json: JSON.stringify(event),
  }));

const begin = (policy: Policy, surface: Surface): Standing => ({
  view: beginView(policy, surface, THREAD),
  model: emptyModel(),
  place: '0.0',
  shown: [],
});

const step = (at: Standing, entry: ToldEntry): Standing => {
  const { view, shown } = viewStep(at.view, entry);
  return {
    view,
    model: shown.reduce(modelStep, at.model),
    place: shown.length === 0 ? at.place : `${entry.seq}.${shown.length - 1}`,
    shown: at.shown.concat(shown),
  };
};

/** As it is kept: text, read back. */
const kept = (entries: readonly ToldEntry[]): readonly ToldEntry[] =>
  JSON.parse(JSON.stringify(abridge(entries))) as ToldEntry[];

const streams: fc.Arbitrary<readonly AguiEvent[]> = fc.oneof(
  richLog,
  restating(richLog),
  fc
    .tuple(
      fc.array(fc.nat(100_000), { minLength: 20, maxLength: 200 }),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 5, max: 40 }),
    )
    .map(([draws, runs, length]) => new StreamAuthor(draws).write(runs, length)),
);
const CASE = fc.record({
  events: streams,
  cuts: fc.array(fc.nat(10_000), { minLength: 1, maxLength: 6 }),
  policy: fc.constantFrom(...POLICIES),
});

/** Kept again and again on the way, as a thread's snapshots are: each from the one before and what came since. */
const keptAlong = (entries: readonly LogEntry[], cuts: readonly number[]): readonly ToldEntry[] => {
  let told: readonly ToldEntry[] = [];
  let at = 0;
  for (const cut of cuts) {
    told = kept([...told, ...entries.slice(at, cut)]);
    at = cut;
  }
  return told;
};

/** Says the same in pieces, and at the end the whole conversation again. */
const longRun = (runId: string): readonly AguiEvent[] => {
  const before = Array.from({ length: Number(runId.slice(1)) + 1 }, (_, n) => ({
    id: `m-r${n}`,
    role: 'assistant',
    content: 'x'.repeat(44),
  }));
  return [
    { type: 'RUN_STARTED', threadId: 't', runId },
    { type: 'TEXT_MESSAGE_START', messageId: `m-${runId}`, role: 'assistant' },
    ...Array.from({ length: 44 }, () => ({
      type: 'TEXT_MESSAGE_CONTENT',
      messageId: `m-${runId}`,
      delta: 'x',
    })),
    { type: 'TEXT_MESSAGE_END', messageId: `m-${runId}` },
    { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/n', value: runId }] },
    { type: 'MESSAGES_SNAPSHOT', messages: before },
    { type: 'RUN_FINISHED', threadId: 't', runId },
  ];
};

describe('a log told in fewer entries', () => {
  for (const surface of SURFACES)
    verifies('ACC-40', `leads the ${surface} where all of it leads, and on as if it had been there`, () => {
      fc.assert(
        fc.property(CASE, ({ events, cuts: drawn, policy }) => {
          const entries = entriesOf(events);
          const cuts = drawn.map((cut) => cut % (entries.length + 1)).toSorted((a, b) => a - b);
          const cut = cuts.at(-1) ?? 0;
          const there = entries.slice(0, cut).reduce(step, begin(policy, surface));
          const joined = keptAlong(entries, cuts).reduce(step, begin(policy, surface));
          expect(prelude(joined.model)).toEqual(prelude(there.model));
          expect(joined.place).toEqual(there.place);
          const on = (from: Standing): Standing => entries.slice(cut).reduce(step, { ...from, shown: [] });
          const [onThere, onJoined] = [on(there), on(joined)];
          expect(onJoined.shown).toEqual(onThere.shown);
          expect(onJoined.place).toEqual(onThere.place);
          expect(prelude(onJoined.model)).toEqual(prelude(onThere.model));
        }),
        { numRuns: 250 },
      );
    });

  for (const surface of SURFACES)
    verifies(
      'ACC-40',
      `keeps for the ${surface} the last custom events it is shown, whatever others are`,
      () => {
        const custom = (n: number): AguiEvent => ({
          type: 'CUSTOM',
          name: n % 5 === 0 ? 'x/y' : 'GENERATIVE_UI',
          value: n,
          ...(n % 4 === 0 ? { subagentRunId: 's' } : {}),
        });
        const entries = entriesOf([
          { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
          { type: 'SUBAGENT_STARTED', subagentRunId: 's', name: 's' },
          ...Array.from({ length: 1_200 }, (_, n) => custom(n)),
        ]);
        const told = keptAlong(entries, [600, 900, entries.length]);
        expect(told.length).toBeLessThan(700);
        for (const policy of POLICIES) {
          const joined = told.reduce(step, begin(policy, surface));
          const there = entries.reduce(step, begin(policy, surface));
          expect(prelude(joined.model)).toEqual(prelude(there.model));
          expect(joined.place).toEqual(there.place);
        }
      },
    );

  verifies('ACC-41', 'is as long as what the thread holds', () => {
    const runs = Array.from({ length: 50 }, (_, n) => longRun(`r${n}`));
    const told = abridge(entriesOf(runs.flat()));
    expect(runs.flat()).toHaveLength(50 * 50);
    const counted: Record<string, number> = {};
    for (const { event } of told) counted[event.type] = (counted[event.type] ?? 0) + 1;
    expect(counted).toEqual({
      RUN_STARTED: 50,
      TEXT_MESSAGE_START: 50,
      TEXT_MESSAGE_CONTENT: 1,
      TEXT_MESSAGE_END: 1,
      STATE_SNAPSHOT: 1,
      STATE_DELTA: 1,
      MESSAGES_SNAPSHOT: 1,
      RUN_FINISHED: 2,
    });
  });
});
