import fc from 'fast-check';
import { verifies } from '../../../../../test/spec/verifies.js';
import * as w from '../../../test/events.js';
import { eventsOf, judgeAll } from '../../../test/judge-all.js';
import { verifyWithReference } from '../../../test/reference-client.js';
import type { AguiEvent } from '../agui.js';
import type { ViolationRule } from './violations.js';

/** Here the hub asks for more than the reference client does. */
const STRICTER: ReadonlySet<string> = new Set<ViolationRule>([
  'wrong-thread',
  'wrong-run',
  'run-id-reused',
  'duplicate-interrupt',
  'duplicate-message',
  'id-clash',
  // Owners are kept over runs, and a message made for a tool call has the call's owner.
  'wrong-owner',
]);

const tag = fc.constantFrom({}, {}, { subagentRunId: 's1' }, { subagentRunId: 's2' });
const messageId = fc.constantFrom('m1', 'm2');
const callId = fc.constantFrom('c1', 'c2');
const parent = fc.constantFrom({}, { parentMessageId: 'm1' }, { parentMessageId: 'p' });
const optional = (key: string, values: readonly unknown[]): fc.Arbitrary<Record<string, unknown>> =>
  fc.constantFrom({}, ...values.map((value) => ({ [key]: value })));
const merged = (...parts: fc.Arbitrary<Record<string, unknown>>[]): fc.Arbitrary<Record<string, unknown>> =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all) as Record<string, unknown>);

const text = fc.oneof(
  fc.tuple(messageId, tag).map(([id, more]) => w.textStart(id, more)),
  fc.tuple(messageId, tag).map(([id, more]) => w.textContent(id, 'x', more)),
  fc.tuple(messageId, tag).map(([id, more]) => w.textEnd(id, more)),
);
const chunks = fc.oneof(
  merged(
    optional('messageId', ['m1', 'm2']),
    optional('role', ['user', 'assistant']),
    optional('delta', ['x']),
    optional('metadata', [{ k: 1 }]),
    optional('rawEvent', [{ r: 1 }]),
    tag,
  ).map(w.textChunk),
  merged(
    optional('toolCallId', ['c1', 'c2']),
    optional('toolCallName', ['f', 'g']),
    optional('delta', ['x']),
    parent,
    tag,
  ).map(w.callChunk),
  merged(optional('messageId', ['m1', 'q']), optional('delta', ['x']), tag).map((more) =>
    w.e('REASONING_MESSAGE_CHUNK', more),
  ),
);
const tools = fc.oneof(
  fc.tuple(callId, parent, tag).map(([id, of, more]) => w.callStart(id, { ...of, ...more })),
  fc.tuple(callId, tag).map(([id, more]) => w.callArgs(id, '{}', more)),
  fc.tuple(callId, tag).map(([id, more]) => w.callEnd(id, more)),
  fc.tuple(callId, messageId, tag).map(([id, result, more]) => w.callResult(id, result, more)),
);
const reasoning = fc.oneof(
  fc.tuple(messageId, tag).map(([id, more]) => w.spanStart(id, more)),
  fc.tuple(messageId, tag).map(([id, more]) => w.spanEnd(id, more)),
  fc.tuple(messageId, tag).map(([id, more]) => w.thoughtStart(id, more)),
  fc.tuple(messageId, tag).map(([id, more]) => w.thought(id, 'x', more)),
  fc.tuple(messageId, tag).map(([id, more]) => w.thoughtEnd(id, more)),
  fc
    .tuple(fc.constantFrom('message', 'tool-call'), fc.constantFrom('m1', 'c1'), tag)
    .map(([subtype, entityId, more]) =>
      w.e('REASONING_ENCRYPTED_VALUE', { subtype, entityId, encryptedValue: 'z', ...more }),
    ),
);
const parts = fc.oneof(
  tag.map((more) => w.stepStarted('plan', more)),
  tag.map((more) => w.stepFinished('plan', more)),
  fc
    .tuple(fc.constantFrom('s1', 's2'), optional('parentSubagentRunId', ['s1', 's9']))
    .map(([id, more]) => w.subStarted(id, more)),
  fc.constantFrom('s1', 's2').map((id) => w.subFinished(id)),
  fc.constantFrom('s1', 's2').map((id) => w.subError(id)),
  fc.tuple(optional('replace', [false, true]), tag).map(([a, b]) => w.activity('a1', {}, { ...a, ...b })),
  tag.map((more) => w.activityDelta('a1', [], more)),
);
const others = fc.oneof(
  fc.constant(w.custom('x/y')),
  fc.constant(w.e('RAW', { event: null })),
  fc.constant(w.state({})),
  tag.map((more) => ({ ...w.stateDelta(), ...more })),
  tag.map((more) =>
    w.messages({ id: 'm1', role: 'assistant', ...more }, { id: 'q', role: 'reasoning', content: '' }),
  ),
  fc.constant(w.messages()),
);
const lifecycle = fc.oneof(
  fc.constantFrom('r', 'r2', 'r3').map((runId) => w.runStarted({ runId })),
  fc.constantFrom('r', 'r2').map((runId) => w.runFinished({ runId })),
  fc.constant(w.runError()),
);

const candidates = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: text },
    { weight: 4, arbitrary: chunks },
    { weight: 4, arbitrary: tools },
    { weight: 3, arbitrary: reasoning },
    { weight: 4, arbitrary: parts },
    { weight: 2, arbitrary: others },
    { weight: 1, arbitrary: lifecycle },
  ),
  { minLength: 10, maxLength: 50 },
);

/** Both are shown the same stream with one more event; the event stays in it when the judge takes it. */
const compare = async (stream: readonly AguiEvent[], next: AguiEvent): Promise<boolean> => {
  const ours = judgeAll([...stream, next]);
  const theirs = await verifyWithReference([...stream, next]);
  if (ours.rule === undefined) {
    expect({ next, error: theirs.error }).toEqual({ next, error: undefined });
    expect(eventsOf(ours)).toEqual(theirs.events);
    return true;
  }
  if (!STRICTER.has(ours.rule))
    expect({ next, rule: ours.rule, error: theirs.error }).toEqual({
      next,
      rule: ours.rule,
      error: expect.any(String),
    });
  return false;
};

describe('the judge beside the reference client', () => {
  verifies(
    'PRO-10',
    'takes nothing the client would refuse, and refuses little the client would take',
    async () => {
      await fc.assert(
        fc.asyncProperty(candidates, async (events) => {
          const stream: AguiEvent[] = [w.runStarted()];
          for (const event of events) if (await compare(stream, event)) stream.push(event);
        }),
        { numRuns: 150 },
      );
    },
  );
});
