/** Makes legal threads of several runs, in which everything AG-UI knows happens at once, for property tests. */
import fc from 'fast-check';
import type { AguiEvent, Message } from '../src/core/agui.js';
import { beginJudge, judge } from '../src/core/judge/judge.js';
import { modelStep } from '../src/core/model/model-step.js';
import { emptyModel } from '../src/core/model/model.js';
import * as w from './events.js';

/** Events that are legal in this order, whatever comes between them. */
type Track = readonly AguiEvent[];
type More = Record<string, unknown>;

/** Becomes a MESSAGES_SNAPSHOT of what the thread holds at that point, less what the mask drops. */
const SNAPSHOT = 'SNAPSHOT_HERE';

const metadata = fc.constantFrom<More>({}, {}, { metadata: { k: 1 } }, { metadata: { k: 2, n: null } });
const extras = fc.constantFrom<More>({}, {}, { timestamp: 7 }, { rawEvent: { provider: 'x' } });
const delta = fc.constantFrom('', 'hel', 'lo', '\ud83d', '\udc4d', 'é\u0000\u2028');
const deltas = fc.array(fc.tuple(delta, metadata), { maxLength: 4 });

const textTrack = (id: string, tag: More = {}): fc.Arbitrary<Track> =>
  fc.tuple(deltas, metadata, extras, fc.boolean()).map(([pieces, meta, extra, again]) => {
    const once = [
      w.textStart(id, { ...tag, ...meta, ...extra }),
      ...pieces.map(([piece, more]) => w.textContent(id, piece, { ...more, ...tag })),
      w.textEnd(id, meta),
    ];
    return again ? [...once, w.textStart(id), w.textContent(id, '!'), w.textEnd(id)] : once;
  });

const chunkTrack = (messageId: string): fc.Arbitrary<Track> =>
  deltas.map((pieces) => [
    w.textChunk({ messageId, role: 'assistant', delta: 'c' }),
    ...pieces.map(([piece, more]) => w.textChunk({ messageId, delta: piece, ...more })),
  ]);

const callTrack = (id: string, tag: More = {}): fc.Arbitrary<Track> =>
  fc
    .tuple(fc.constantFrom<More>({}, { parentMessageId: `${id}-p` }), metadata, fc.boolean(), fc.nat(2))
    .map(([parent, meta, early, results]) => {
      const answers = Array.from({ length: results }, (_, n) => w.callResult(id, `${id}-r${n}`, tag));
      const end = w.callEnd(id, { metadata: { done: true } });
      return [
        w.callStart(id, { ...parent, ...tag, ...meta }),
        w.callArgs(id, '{"a"', tag),
        w.e('REASONING_ENCRYPTED_VALUE', { subtype: 'tool-call', entityId: id, encryptedValue: 'zz' }),
        w.callArgs(id, ':1}', meta),
        ...(early ? [...answers, end] : [end, ...answers]),
      ];
    });

const reasoningTrack = (id: string): fc.Arbitrary<Track> =>
  deltas.map((pieces) => [
    w.spanStart(id),
    w.thoughtStart(id),
    ...pieces.map(([piece, more]) => w.thought(id, piece, more)),
    w.thoughtEnd(id),
    w.thoughtStart(`${id}-2`),
    w.thoughtEnd(`${id}-2`),
    w.e('REASONING_ENCRYPTED_VALUE', { subtype: 'message', entityId: id, encryptedValue: 'yy' }),
    w.spanEnd(id),
  ]);

const stepTrack = (name: string, tag: More = {}): fc.Arbitrary<Track> =>
  fc.boolean().map((again) => {
    const once = [w.stepStarted(name, { ...tag, metadata: { s: 1 } }), w.stepFinished(name, tag)];
    return again ? [...once, ...once] : once;
  });

const patches = fc.constantFrom<readonly unknown[]>(
  [],
  [{ op: 'add', path: '/x', value: [1] }],
  [{ op: 'add', path: '/x/-', value: { deep: null } }],
  [
    { op: 'test', path: '/n', value: 0 },
    { op: 'replace', path: '/n', value: 1 },
  ],
  [
    { op: 'replace', path: '/n', value: 9 },
    { op: 'test', path: '/gone', value: 1 },
  ],
  [{ op: 'copy', from: '/x', path: '/y' }],
  [{ op: 'move', from: '/y', path: '/z' }],
  [{ op: 'remove', path: '/x/0' }],
  [{ op: 'add', path: '/__proto__/bad', value: 1 }],
  [{ op: 'replace', path: '', value: { n: 0 } }],
  [
    { op: 'invent', path: '/n' },
    { op: 'add', path: '/k', value: 1 },
  ],
);

const stateTrack: fc.Arbitrary<Track> = fc
  .tuple(fc.constantFrom<unknown>({ n: 0 }, { n: 0, x: [] }, { a: 'b' }), fc.array(patches, { maxLength: 4 }))
  .map(([snapshot, all]) => [w.state(snapshot), ...all.map((patch) => w.stateDelta(...patch))]);

const activityTrack = (id: string): fc.Arbitrary<Track> =>
  fc.array(fc.tuple(patches, metadata), { maxLength: 3 }).map((all) => [
    w.activity(id, { n: 0 }, { metadata: { p: 1 } }),
    ...all.map(([patch, more]) =>
      w.activityDelta(
        id,
        patch.filter((op) => (op as { path: string }).path !== ''),
        more,
      ),
    ),
    w.activity(id, { n: 5 }, { replace: false, metadata: { q: 1 } }),
    w.activityDelta(`${id}-gone`, []),
  ]);

const customTrack = (run: string): fc.Arbitrary<Track> =>
  fc.constant([
    w.custom('x/y', { run }),
    w.e('RAW', { event: null }),
    w.e('FUTURE_THING', { a: 1 }),
    w.custom('z', null),
  ]);

const snapshotTrack: fc.Arbitrary<Track> = fc
  .array(fc.boolean(), { minLength: 1, maxLength: 5 })
  .map((mask) => [w.e(SNAPSHOT, { mask })]);

type End = (id: string) => AguiEvent;
const endings: readonly End[] = [
  (id) => w.subFinished(id),
  (id) => w.subFinished(id, { outcome: { type: 'suspended', interruptIds: ['i1'] }, result: { x: 1 } }),
  (id) => w.subError(id),
];

/** Every order-keeping mixture of the tracks; the picks say from which the next event comes. */
const weave = (tracks: readonly Track[], picks: readonly number[]): AguiEvent[] => {
  const left = tracks.map((track) => [...track]).filter((track) => track.length > 0);
  const woven: AguiEvent[] = [];
  for (let turn = 0; left.length > 0; turn += 1) {
    const at = (picks[turn % picks.length] ?? 0) % left.length;
    const track = left[at] ?? [];
    woven.push(...track.splice(0, 1));
    if (track.length === 0) left.splice(at, 1);
  }
  return woven;
};

const picks = fc.array(fc.nat(50), { minLength: 1, maxLength: 40 });

const subagentTrack = (run: string): fc.Arbitrary<Track> => {
  const [outer, inner, late] = [`${run}-s1`, `${run}-s2`, `${run}-s3`];
  const tagOf = (subagentRunId: string): More => ({ subagentRunId });
  return fc
    .tuple(
      fc.tuple(
        textTrack(`${run}-ms1`, tagOf(outer)),
        stepTrack('plan', tagOf(outer)),
        callTrack(`${run}-cs1`, tagOf(outer)),
      ),
      textTrack(`${run}-ms2`, tagOf(inner)),
      fc.constantFrom(...endings),
      picks,
    )
    .map(([own, nested, end, order]) => {
      const child = [w.subStarted(inner, { parentSubagentRunId: outer }), ...nested, end(inner)];
      return [
        w.subStarted(outer, { description: 'd', metadata: { a: 1 } }),
        ...weave([...own, child], order),
        end(outer),
        w.subStarted(late, { parentSubagentRunId: outer }),
        w.subError(late),
      ];
    });
};

const optional = (track: fc.Arbitrary<Track>): fc.Arbitrary<Track> =>
  fc.oneof({ weight: 2, arbitrary: track }, { weight: 1, arbitrary: fc.constant<Track>([]) });

const runEvents = (run: string): fc.Arbitrary<AguiEvent[]> =>
  fc
    .tuple(
      fc.tuple(
        optional(textTrack(`${run}-m1`)),
        optional(textTrack('shared')),
        optional(chunkTrack(`${run}-k1`)),
        optional(callTrack(`${run}-c1`)),
        optional(callTrack(`${run}-c2`)),
        optional(reasoningTrack(`${run}-q`)),
        optional(stepTrack('plan')),
        optional(stepTrack('risk')),
        optional(stateTrack),
        optional(activityTrack('act')),
        optional(customTrack(run)),
        optional(snapshotTrack),
      ),
      optional(subagentTrack(run)),
      picks,
    )
    .map(([tracks, subagents, order]) => weave([...tracks, subagents], order));

const terminal = (
  runId: string,
): fc.Arbitrary<{ readonly events: readonly AguiEvent[]; readonly cut?: number }> =>
  fc.oneof(
    fc.constant({ events: [w.runFinished({ runId, result: { done: true } })] }),
    fc.constant({ events: [w.interrupted([`${runId}-i`, `${runId}-j`], { runId })] }),
    fc.constant({ events: [w.runFinished({ runId, outcome: { type: 'cancelled' } })] }),
    fc.constant({ events: [w.interrupted([`${runId}-i`], { runId }), w.runError()] }),
    fc.nat(60).map((cut) => ({ events: [w.runError({ code: 'x' })], cut })),
  );

const wholeRun = (runId: string): fc.Arbitrary<AguiEvent[]> =>
  fc.tuple(runEvents(runId), terminal(runId)).map(([events, { events: end, cut }]) => [
    w.runStarted({
      runId,
      protocolVersion: '1.0',
      input: {
        threadId: w.THREAD,
        runId,
        messages: [{ id: `${runId}-u`, role: 'user', content: 'hi' }],
        tools: [],
        context: [],
      },
    }),
    ...events.slice(0, cut ?? events.length),
    ...end,
  ]);

const snapshotOf = (messages: readonly Message[], mask: readonly boolean[]): AguiEvent =>
  w.messages(...messages.filter((_, index) => mask[index % mask.length] === true));

/** As the log would hold it: judged, chunks written out. */
const judged = (events: readonly AguiEvent[]): AguiEvent[] => {
  let current = beginJudge({ threadId: w.THREAD, runId: w.RUN });
  let model = emptyModel();
  const log: AguiEvent[] = [];
  for (const planned of events) {
    const event =
      planned.type === SNAPSHOT ? snapshotOf(model.messages, planned.mask as readonly boolean[]) : planned;
    const verdict = judge(current, JSON.stringify(event));
    // A snapshot may hold two results of one id, which no agent may restate.
    if (!verdict.ok && verdict.rule === 'duplicate-message') continue;
    if (!verdict.ok) throw new Error(`${verdict.rule}: ${verdict.message} in ${JSON.stringify(event)}`);
    current = verdict.state;
    for (const { event: legal } of verdict.events) {
      model = modelStep(model, legal);
      log.push(legal);
    }
  }
  return log;
};

/** The log of a thread of one to three runs. */
export const richLog: fc.Arbitrary<AguiEvent[]> = fc
  .tuple(wholeRun(w.RUN), fc.option(wholeRun('r2')), fc.option(wholeRun('r3')), fc.nat(200))
  .map(([first, second, third, tail]) => {
    const log = judged([...first, ...(second ?? []), ...(third ?? [])]);
    // Often the last run has not ended yet.
    return tail % 3 === 0 ? log.slice(0, Math.max(1, log.length - (tail % 17))) : log;
  });
