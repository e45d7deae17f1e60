import fc from 'fast-check';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { verifies } from '../../../../../test/spec/verifies.js';
import { applyWith59, refusedBy59 } from '../../../test/client-59.js';
import * as w from '../../../test/events.js';
import { judgeAll, eventsOf } from '../../../test/judge-all.js';
import { richLog } from '../../../test/rich-streams.js';
import type { AguiEvent, Message } from '../agui.js';
import { modelStep } from '../model/model-step.js';
import { emptyModel, type Model } from '../model/model.js';
import { prelude } from '../model/prelude.js';
import { pendingInterruptsOf } from '../model/read-model.js';
import { messagesIn59, textsIn59 } from './profile-59.js';

const texts = (events: readonly AguiEvent[]): readonly string[] =>
  events.map((event) => JSON.stringify(event)).flatMap(textsIn59());
const in59 = (...events: readonly AguiEvent[]): readonly AguiEvent[] =>
  texts(events).map((json) => JSON.parse(json) as AguiEvent);

const fold = (events: readonly AguiEvent[]): Model => events.reduce(modelStep, emptyModel());
const RS = w.runStarted();

const FILE = { type: 'document', source: { type: 'file', value: 'f-1', provider: 'x' } };
const IMAGE = { type: 'image', source: { type: 'url', value: 'https://x.example/a.png' } };
const HEARD = { type: 'text', text: 'so ' };
const SEEN = { type: 'text', text: 'far', id: 'p2' };

/** What it is given, and what of it is said. */
const tables: readonly (readonly [name: string, given: AguiEvent, said: readonly AguiEvent[]])[] = [
  ['cases 21, 25: an unknown event is not said', w.e('FUTURE_THING', { a: 1 }), []],
  ['nor one named like something else', w.e('toString'), []],
  [
    'case 51: a result of parts is their text',
    w.callResult('c', 'r', { content: [HEARD, IMAGE, FILE, SEEN] }),
    [w.callResult('c', 'r', { content: 'so far' })],
  ],
  [
    'a result that is all picture is an empty text',
    w.callResult('c', 'r', { content: [IMAGE] }),
    [w.callResult('c', 'r', { content: '' })],
  ],
  [
    'case 34: unknown roles and parts are left out of a list, the rest stays',
    w.messages(
      { id: 'a', role: 'wizard', content: 'x' },
      { id: 'b', role: 'user', content: [HEARD, { type: 'hologram', text: 'y' }, IMAGE, FILE] },
      { id: 'c', role: 'tool', toolCallId: 'k', content: [HEARD, SEEN, FILE] },
      { id: 'd', role: 'assistant', content: 'z' },
    ),
    [
      w.messages(
        { id: 'b', role: 'user', content: [HEARD, IMAGE] },
        { id: 'c', role: 'tool', toolCallId: 'k', content: 'so far' },
        { id: 'd', role: 'assistant', content: 'z' },
      ),
    ],
  ],
  [
    'an input has its tools and its context',
    w.runStarted({
      input: { threadId: 't', runId: 'r', messages: [{ id: 'u', role: 'user', content: [FILE] }] },
    }),
    [
      w.runStarted({
        input: {
          tools: [],
          context: [],
          threadId: 't',
          runId: 'r',
          messages: [{ id: 'u', role: 'user', content: [] }],
        },
      }),
    ],
  ],
  [
    'pending calls are not named',
    w.runFinished({ outcome: { type: 'success', pendingToolCallIds: ['c'] } }),
    [w.runFinished({ outcome: { type: 'success' } })],
  ],
  ['case 21: an unknown outcome is none', w.runFinished({ outcome: { type: 'future' } }), [w.runFinished()]],
  [
    'a question is asked without what came later',
    w.interrupted(['i'], { outcome: { type: 'interrupt', interrupts: [{ id: 'i', reason: 'x' }], more: 1 } }),
    [w.runFinished({ outcome: { type: 'interrupt', interrupts: [{ id: 'i', reason: 'x' }] } })],
  ],
  [
    'case 19: a cancelled run is told as one that failed',
    w.runFinished({ timestamp: 3, usage: [{ model: 'm' }], outcome: { type: 'cancelled' } }),
    [
      w.runError({
        timestamp: 3,
        usage: [{ model: 'm' }],
        message: 'The run was cancelled.',
        code: 'hub/cancelled',
      }),
    ],
  ],
  [
    'an unknown step of a patch is left out, the others count',
    w.stateDelta({ op: 'invent', path: '/a' }, { op: 'add', path: '/a', value: 1 }),
    [w.stateDelta({ op: 'add', path: '/a', value: 1 })],
  ],
];

const PARTS = [HEARD, IMAGE, FILE];

/** A thread in which tools answer in parts and name what they left open. */
const fullLog = richLog.map((log) =>
  log.map((event): AguiEvent => {
    if (event.type === 'TOOL_CALL_RESULT') return { ...event, content: PARTS };
    if (event.type !== 'RUN_FINISHED' || event.outcome !== undefined) return event;
    return { ...event, outcome: { type: 'success', pendingToolCallIds: ['c'] } };
  }),
);

describe('the words of 0.0.59', () => {
  for (const [name, given, said] of tables)
    verifies('PRO-26', name, async () => {
      expect(in59(given)).toEqual(said);
      const isOpener = given.type === 'RUN_STARTED';
      expect(await refusedBy59(isOpener ? said : [RS, ...said])).toBeUndefined();
      // The table is worth nothing if the old client would take what it is spared.
      if (given.type !== 'STATE_DELTA')
        expect(await refusedBy59([RS, given].slice(isOpener ? 1 : 0))).toBeDefined();
    });

  verifies('PRO-26', 'what needs no other words stays as it was written', () => {
    const written = [
      '{"type": "RUN_STARTED", "threadId":"t","runId":"r","input":{"threadId":"t","runId":"r","messages":[],"tools":[],"context":[]}}',
      '{"type":"CUSTOM","name":"n","value":12345678901234567890,"foo":"\\ud83d"}',
      '{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"success"}}',
    ];
    expect(written.flatMap(textsIn59())).toEqual(written);
  });

  verifies('PRO-27', 'a failure after a cancelled run is not told twice, that of the next run is', () => {
    const cancelled = w.runFinished({ outcome: { type: 'cancelled' } });
    const next = w.runStarted({ runId: 'r2' });
    const told = in59(RS, cancelled, w.runError(), next, w.runError());
    expect(told.map(({ type, message }) => message ?? type)).toEqual([
      'RUN_STARTED',
      'The run was cancelled.',
      'RUN_STARTED',
      'broken',
    ]);
  });

  verifies('PRO-28', 'a legal thread in them is a stream the published client takes', async () => {
    await fc.assert(
      fc.asyncProperty(fullLog, async (log) => expect(await refusedBy59(in59(...log))).toBeUndefined()),
      { numRuns: 100 },
    );
  });

  verifies('PRO-28', 'ids and order are the same, nothing is added', () => {
    const named = ({ type, messageId, toolCallId, subagentRunId, runId }: AguiEvent) =>
      JSON.stringify({ type, messageId, toolCallId, subagentRunId, runId });
    fc.assert(
      fc.property(fullLog, (log) => {
        const given = log
          .filter(
            ({ type, outcome }) =>
              type !== 'RUN_ERROR' && (outcome as { type?: string })?.type !== 'cancelled',
          )
          .map(named);
        const said = in59(...log)
          .filter(({ type }) => type !== 'RUN_ERROR')
          .map(named);
        expect(said).toEqual(given.filter((one) => !one.includes('FUTURE_THING')));
      }),
      { numRuns: 50 },
    );
  });

  verifies('PRO-28', 'it ends with the same messages, state and questions, joined at any point', async () => {
    await fc.assert(
      fc.asyncProperty(fullLog, fc.nat(200), async (log, at) => {
        const cut = at % (log.length + 1);
        const joined = in59(...prelude(fold(log.slice(0, cut))), ...log.slice(cut));
        const model = fold(log);
        const got = await applyWith59(joined);
        expect(got.messages).toEqual(messagesIn59(model.messages));
        expect(got.state).toEqual(model.state);
        // A failure leaves questions open, and a cancelled run is told as one.
        if (!log.some(({ outcome }) => (outcome as { type?: string })?.type === 'cancelled'))
          expect(got.pending).toEqual(pendingInterruptsOf(model));
      }),
      { numRuns: 60 },
    );
  });

  verifies('PRO-26', 'messages that fit are handed back as they are', () => {
    const list: Message[] = [{ id: 'u', role: 'user', content: 'hi' }];
    expect(messagesIn59(list)).toBe(list);
  });
});

const streams = join(resolve(process.env.TRIPTYCH_SHARED ?? '../shared'), 'conformance/streams');
const files = existsSync(streams) ? readdirSync(streams).filter((file) => file.endsWith('.json')) : [];

if (files.length === 0) {
  console.log(`No conformance streams in ${streams} (set TRIPTYCH_SHARED): they are skipped.`);
  it.skip('says the conformance streams in the words of 0.0.59', () => undefined);
} else {
  it.each(files)('PRO-28 says %s so that the published client takes it', async (file) => {
    const { stream } = JSON.parse(readFileSync(join(streams, file), 'utf8')) as { stream: AguiEvent[] };
    const first = stream.find(({ type }) => type === 'RUN_STARTED');
    const { threadId = 't', runId = 'r' } = first ?? RS;
    const legal = eventsOf(judgeAll(stream, { threadId: String(threadId), runId: String(runId) }));
    expect(await refusedBy59(in59(...legal))).toBeUndefined();
  });
}
