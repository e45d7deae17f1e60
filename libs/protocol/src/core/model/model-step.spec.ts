import { verifies } from '../../../../../test/spec/verifies.js';
import * as w from '../../../test/events.js';
import type { AguiEvent, Message } from '../agui.js';
import { modelStep } from './model-step.js';
import { emptyModel, type Model } from './model.js';
import { modelBytes, pendingInterruptsOf, runStatusOf, stepsOf } from './read-model.js';

const fold = (...events: readonly AguiEvent[]): Model => events.reduce(modelStep, emptyModel());
const run = (...events: readonly AguiEvent[]): Model => fold(w.runStarted(), ...events);
const ids = ({ messages }: Model): readonly string[] => messages.map(({ id }) => id);

describe('messages', () => {
  verifies('PRO-16', 'case 109: a message begun again is appended to', () => {
    expect(run(...w.text('m', 'hel', 'lo'), ...w.text('m', '!')).messages).toEqual([
      { id: 'm', role: 'assistant', content: 'hello!' },
    ]);
  });

  verifies('PRO-16', 'case 49: results stand behind the message that called, in their order', () => {
    const model = run(
      ...w.text('m', 'x'),
      w.callStart('c1', { parentMessageId: 'm' }),
      w.callStart('c2', { parentMessageId: 'm' }),
      ...w.text('after', 'y'),
      w.callResult('c2', 'r2'),
      w.callResult('c1', 'r1'),
    );
    expect(ids(model)).toEqual(['m', 'r2', 'r1', 'after']);
  });

  verifies('PRO-16', 'case 55: metadata of a call lands on the call, the last word wins', () => {
    const model = run(
      w.callStart('c', { metadata: { attempt: 1 } }),
      w.callArgs('c', '{}', { metadata: { bytes: 2 } }),
      w.callEnd('c', { metadata: { attempt: 2, k: null } }),
    );
    expect((model.messages[0] as { toolCalls: unknown[] }).toolCalls).toEqual([
      {
        id: 'c',
        type: 'function',
        function: { name: 'lookup', arguments: '{}' },
        metadata: { attempt: 2, bytes: 2, k: null },
      },
    ]);
  });

  verifies('PRO-16', 'case 80: a snapshot replaces by id, adds, and drops what it leaves out', () => {
    const model = run(
      ...w.text('a', 'draft'),
      ...w.text('b', 'retracted'),
      w.thoughtStart('q'),
      w.activity('act', { n: 1 }),
      w.messages({ id: 'c', role: 'user', content: 'hi' }, { id: 'a', role: 'assistant', content: 'better' }),
    );
    expect(ids(model)).toEqual(['a', 'q', 'act', 'c']);
    expect(model.messages[0]).toMatchObject({ content: 'better' });
  });

  verifies('PRO-16', 'ST-08: a snapshot that holds activities holds them all', () => {
    const told = { id: 'act1', role: 'activity', activityType: 'PLAN', content: { done: 3 } };
    const model = run(w.activity('act1', { done: 0 }), w.activity('act2', {}), w.messages(told));
    expect(model.messages).toEqual([told]);
  });

  verifies('PRO-16', "a snapshot's own word on activities counts", () => {
    const scoped = (authoritativeActivityTypes: unknown): AguiEvent => ({
      ...w.messages(),
      metadata: { '@ag-ui/client': { authoritativeActivityTypes } },
    });
    const before = [w.activity('a', {}), w.activity('b', {}, { activityType: 'OTHER' })];
    expect(ids(run(...before, scoped(null)))).toEqual([]);
    expect(ids(run(...before, scoped(['PLAN'])))).toEqual(['b']);
    expect(ids(run(...before, scoped('odd')))).toEqual(['a', 'b']);
  });

  verifies('PRO-16', 'case 34: what a later version adds is left out, with a warning', () => {
    const model = run(
      w.messages(
        { id: 'a', role: 'oracle' },
        { id: 'b', role: 'user', content: [{ type: 'text', text: 'x' }, { type: 'hologram' }] },
      ),
    );
    expect(model.messages).toEqual([{ id: 'b', role: 'user', content: [{ type: 'text', text: 'x' }] }]);
    expect(model.warning).toContain('/messages/0');
  });

  verifies('PRO-16', 'SL-11: text never goes into an activity', () => {
    const model = run(w.activity('m', { n: 1 }), ...w.text('m', 'hello'));
    expect(model.messages).toMatchObject([{ role: 'activity', content: { n: 1 } }]);
  });

  verifies('PRO-16', 'case 25: an unknown event changes nothing', () => {
    const before = run(...w.text('m', 'x'));
    expect(modelStep(before, w.e('FUTURE_THING'))).toBe(before);
  });

  verifies('PRO-16', 'the messages a run brings are added once', () => {
    const user: Message = { id: 'u', role: 'user', content: 'hi' };
    const started = w.runStarted({ input: { threadId: 't', runId: 'r', messages: [user] } });
    const model = fold(started, w.runFinished(), started);
    expect(model.messages).toEqual([user]);
    expect(model.run?.started?.input).toMatchObject({ messages: [] });
  });
});

describe('state and activities', () => {
  verifies('PRO-16', 'case 71: a snapshot replaces, whatever it is', () => {
    for (const snapshot of [null, 0, '', false, [], { a: 1 }])
      expect(run(w.state({ old: 1 }), w.state(snapshot)).state).toEqual(snapshot);
  });

  verifies('PRO-22', 'case 74: a patch that does not apply keeps the state and says so', () => {
    const model = run(
      w.state({ a: 1 }),
      w.stateDelta({ op: 'replace', path: '/a', value: 2 }, { op: 'test', path: '/a', value: 9 }),
    );
    expect(model.state).toEqual({ a: 1 });
    expect(model.warning).toContain('STATE_DELTA');
    expect(modelStep(model, w.stateDelta()).warning).toBeUndefined();
  });

  verifies('PRO-16', 'case 72: a patch before any snapshot applies to an empty object', () => {
    expect(run(w.stateDelta({ op: 'add', path: '/a', value: 1 })).state).toEqual({ a: 1 });
  });

  verifies('PRO-16', 'case 75: the known operations of a patch apply', () => {
    const model = run(
      w.state({ count: 1 }),
      w.stateDelta({ op: 'increment', path: '/count' }, { op: 'replace', path: '/count', value: 5 }),
    );
    expect(model.state).toEqual({ count: 5 });
    expect(model.warning).toContain('/delta/0');
  });

  verifies('PRO-16', 'case 79: replace:false leaves an activity, a patch that fails keeps it', () => {
    const model = run(
      w.activity('a', { n: 1 }, { metadata: { p: 1 } }),
      w.activity('a', { n: 2 }, { replace: false, metadata: { q: 1 } }),
      w.activityDelta('a', [{ op: 'replace', path: '/gone/n', value: 3 }], { metadata: { r: 1 } }),
    );
    expect(model.messages).toMatchObject([{ content: { n: 1 }, metadata: { p: 1, q: 1, r: 1 } }]);
    expect(model.warning).toContain('ACTIVITY_DELTA');
  });

  verifies('PRO-19', 'a step changes nothing handed out before', () => {
    const before = run(...w.text('m', 'a'), w.state({ a: { b: 1 }, c: {} }), w.callStart('c'));
    const copy = structuredClone(before);
    const kept = before.messages[0];
    const after = [
      w.textContent('m', 'b', { metadata: { k: 1 } }),
      w.callArgs('c', '{}'),
      w.stateDelta({ op: 'replace', path: '/a/b', value: 2 }),
      w.activity('x', {}),
    ].reduce(modelStep, before);
    expect(before).toEqual(copy);
    expect((after.state as { c: unknown }).c).toBe((before.state as { c: unknown }).c);
    expect(modelStep(before, w.callArgs('c', 'x')).messages[0]).toBe(kept);
  });

  it('PF-01: takes long arguments in small pieces', () => {
    const piece = w.callArgs('c', '0123456789abcdef');
    const model = Array.from({ length: 12_800 }, () => piece).reduce(modelStep, run(w.callStart('c')));
    expect(modelBytes(model)).toBeGreaterThan(200_000);
  });
});

describe('the course of runs', () => {
  const second = w.runStarted({ runId: 'r2' });
  const asked = [w.runStarted(), w.interrupted(['a', 'b'])];
  const pending = (...events: readonly AguiEvent[]): readonly string[] =>
    pendingInterruptsOf(fold(...events)).map(({ id }) => id);

  verifies('PRO-20', 'open questions stay until a run ends that asks none, or others', () => {
    expect(pending(...asked)).toEqual(['a', 'b']);
    expect(pending(...asked, second)).toEqual(['a', 'b']);
    expect(pending(...asked, second, w.runFinished({ runId: 'r2' }))).toEqual([]);
    expect(pending(...asked, second, w.interrupted(['c'], { runId: 'r2' }))).toEqual(['c']);
  });

  verifies('PRO-20', 'case 98: a cancelled run closes them', () => {
    expect(pending(...asked, second, w.runFinished({ outcome: { type: 'cancelled' } }))).toEqual([]);
  });

  verifies('PRO-20', 'case 96: a failed run leaves them open', () => {
    expect(pending(...asked, second, w.runError())).toEqual(['a', 'b']);
    expect(pending(...asked, w.runError())).toEqual(['a', 'b']);
  });

  it('tells how the last run stands', () => {
    expect(runStatusOf(emptyModel())).toBeUndefined();
    expect(runStatusOf(run())).toBe('running');
    expect(runStatusOf(run(w.runFinished()))).toBe('success');
    expect(runStatusOf(run(w.runFinished({ outcome: { type: 'cancelled' } })))).toBe('cancelled');
    expect(runStatusOf(run(w.interrupted(['a'])))).toBe('interrupt');
    expect(runStatusOf(run(w.runFinished(), w.runError()))).toBe('failed');
    expect(runStatusOf(fold(w.runError()))).toBe('failed');
  });

  it('keeps an unknown outcome as it came', () => {
    expect(run(w.runFinished({ outcome: { type: 'future' } })).run?.finished?.outcome).toEqual({
      type: 'future',
    });
  });

  verifies('PRO-21', 'keeps the last 200 CUSTOM events', () => {
    const model = run(...Array.from({ length: 250 }, (_, n) => w.custom('x', n)));
    expect(model.custom).toHaveLength(200);
    expect(model.custom[0]?.event.value).toBe(50);
  });

  verifies('PRO-21', 'keeps fewer CUSTOM events when they are large, but always the newest', () => {
    const large = 'x'.repeat(300_000);
    const model = run(...Array.from({ length: 5 }, (_, n) => w.custom('x', { n, large })));
    expect(model.custom.map(({ event }) => (event.value as { n: number }).n)).toEqual([3, 4]);
    expect(model.customBytes).toBe(JSON.stringify(model.custom.map(({ event }) => event)).length - 3);
    const huge = modelStep(model, w.custom('y', 'x'.repeat(900_000)));
    expect(huge.custom.map(({ event }) => event.name)).toEqual(['y']);
  });

  verifies('PRO-21', 'finished steps last over a chain of questions, and no longer', () => {
    const step = [w.stepStarted('verify'), w.stepFinished('verify')];
    const resumed = fold(w.runStarted(), ...step, w.interrupted(['a']), second, w.stepStarted('risk'));
    expect(stepsOf(resumed)).toEqual([
      { stepName: 'verify', done: true },
      { stepName: 'risk', done: false },
    ]);
    expect(stepsOf(modelStep(resumed, w.stepStarted('verify')))).toEqual([
      { stepName: 'risk', done: false },
      { stepName: 'verify', done: false },
    ]);
    expect(stepsOf(fold(w.runStarted(), ...step, w.runFinished(), second))).toEqual([]);
  });

  it('counts the bytes of messages and state', () => {
    const model = run(...w.text('m', 'é'), w.state({ a: '\u0000' }));
    const json = JSON.stringify(model.messages) + JSON.stringify(model.state);
    expect(modelBytes(model)).toBe(new TextEncoder().encode(json).length);
  });
});
