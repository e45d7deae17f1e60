/** Cases 71–80: state, activities and restated messages. */
import { frames } from './loopback-agent.js';
import {
  caseOf,
  expectJoined,
  expectLegal,
  expectPass,
  expectRefused,
  newThread,
  play,
  stand,
  type Played,
} from './suite.js';
import { close, delta, e, names, open, plan, RF, restate, RS, say, state, text } from './words.js';

const MIB = 1024 * 1024;

const ends = async (played: Played, wanted: unknown): Promise<void> => {
  await expectPass(played);
  expect(played.live.model.state).toEqual(wanted);
  await expectJoined(played);
};
const comesTo = async (wanted: unknown, ...events: readonly object[]): Promise<void> =>
  ends(await play((run) => [RS(run), ...events, RF(run)]), wanted);

describe('G. state', () => {
  caseOf(71, 'is replaced by whatever comes, nothing and zero too', async () => {
    for (const value of [null, 0, '', false, []]) await comesTo(value, state({ a: 1 }), state(value));
  });

  caseOf(72, 'is changed from what the run was given, or from nothing', async () => {
    await comesTo({ a: 1 }, delta({ op: 'add', path: '/a', value: 1 }));
    const given = { messages: [], state: { a: [1] } };
    const played = await play(
      (run) => [RS(run), delta({ op: 'add', path: '/a/-', value: 2 }), RF(run)],
      given,
    );
    await expectLegal(played);
    expect(played.record.refused).toEqual([]);
    expect(played.live.model.state).toEqual({ a: [1, 2] });
  });

  caseOf(73, 'is addressed by pointers, and a malformed one is refused', async () => {
    await comesTo(
      { 'a/b': 1, 'm~n': 2, '': 3 },
      state({}),
      delta(
        { op: 'add', path: '/a~1b', value: 1 },
        { op: 'add', path: '/m~0n', value: 2 },
        { op: 'add', path: '/', value: 3 },
      ),
    );
    for (const path of ['/a~2', 'a', '/a~'])
      await expectRefused(await play((run) => [RS(run), delta({ op: 'add', path, value: 1 })]), {
        rule: 'malformed',
        after: ['RUN_STARTED'],
      });
  });

  caseOf(74, 'is changed wholly or not at all', async () => {
    await comesTo(
      { a: 1, b: 1 },
      state({ a: 1, b: 1 }),
      delta({ op: 'replace', path: '/b', value: 2 }, { op: 'test', path: '/a', value: 9 }),
    );
    await comesTo({ a: 3 }, state({ a: 1 }), delta({ op: 'remove', path: '/no' }), state({ a: 3 }));
  });

  caseOf(75, 'is changed by what is known of a patch; what else it says is handed on', async () => {
    await comesTo(
      { a: 1 },
      state({ b: 1 }),
      delta(
        { op: 'annotate', path: '/a', by: 'x' },
        { op: 'add', path: '/a', value: 1 },
        { op: 'remove', path: '/b', value: 7, why: 'old' },
      ),
    );
  });

  caseOf(76, 'keeps to the letter of lists, moves and roots', async () => {
    const from = { list: [1, 2], tree: { in: 1 } };
    const add = (path: string) => ({ op: 'add', path, value: 9 });
    await comesTo({ ...from, list: [1, 2, 9] }, state(from), delta(add('/list/-')));
    const strange = [{ op: 'replace', path: '/list/01', value: 9 }, add('/list/3'), add('/list/-1')];
    await comesTo(from, state(from), ...strange.map((operation) => delta(operation)));
    await comesTo(from, state(from), delta({ op: 'move', from: '/tree', path: '/tree/in/deeper' }));
    await comesTo([1], state(from), delta({ op: 'replace', path: '', value: [1] }));
    await comesTo(null, state(from), delta({ op: 'remove', path: '' }));
  });

  caseOf(77, 'has no way to a prototype', async () => {
    const paths = ['/__proto__/x', '/constructor/prototype/x', '/a/__proto__/x'];
    const patches = paths.map((path) => delta({ op: 'add', path, value: 'planted' }));
    await comesTo({ a: {} }, state({ a: {} }), ...patches);
    expect(({} as { x?: unknown }).x).toBeUndefined();
    const after = await play((run) => [RS(run), ...text('m', 'well'), RF(run)]);
    await expectPass(after);
  });

  caseOf(78, 'has a size that every client can take, and so has what a thread comes to', async () => {
    const large = 'x'.repeat(6 * MIB);
    const played = await play((run) => [RS(run), state({ shown: large }), RF(run)]);
    await ends(played, { shown: large });
    const tooLarge = await play((run) => [RS(run), state('x'.repeat(9 * MIB)), RF(run)]);
    await expectLegal(tooLarge);
    expect(tooLarge.live.sent.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'hub/too-large' });
    const parts = Array.from({ length: 12 }, (_, index) => text(`m${index}`, 'x'.repeat(MIB * 0.9)));
    const { threadId, runId, token } = await newThread();
    stand().agent.will(threadId, (run) => frames([RS(names(run)), ...parts.flat(), RF(names(run))]));
    const live = stand().run({ threadId, runId, token });
    expect(await live.ended).toBeUndefined();
    expect(live.sent.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'hub/too-large' });
    const joined = stand().connect({ threadId, token });
    expect(await joined.ended).toBeUndefined();
    expect(Buffer.byteLength(joined.text)).toBeLessThan(9 * MIB);
    expect(joined.model).toEqual(live.model);
  });

  caseOf(79, 'may be told as activities, which keep their place', async () => {
    const patch = (messageId: string, ...operations: readonly object[]) =>
      e('ACTIVITY_DELTA', { messageId, activityType: 'PLAN', patch: operations });
    const played = await play((run) => [
      RS(run),
      plan('p', { done: 0 }),
      ...text('m', 'working'),
      patch('p', { op: 'replace', path: '/done', value: 1 }),
      plan('p', { done: 'no' }, { replace: false }),
      patch('nobody', { op: 'add', path: '/x', value: 1 }),
      ...text('taken', 'gone'),
      plan('taken', { done: 'yes' }),
      RF(run),
    ]);
    await expectPass(played);
    expect(played.live.model.messages).toMatchObject([
      { id: 'p', role: 'activity', content: { done: 1 } },
      { id: 'm', content: 'working' },
      { id: 'taken', role: 'activity', content: { done: 'yes' } },
    ]);
    expect(played.customer.model.messages).toEqual(played.live.model.messages);
    await expectJoined(played);
  });

  caseOf(80, 'of messages is restated by id: what is not named is gone, an open message too', async () => {
    const played = await play((run) => [
      RS(run),
      ...text('a', 'draft'),
      ...text('b', 'withdrawn'),
      open('c'),
      say('c', 'lost '),
      restate({ id: 'a', role: 'assistant', content: 'final' }),
      say('c', 'words'),
      close('c'),
      RF(run),
    ]);
    await expectPass(played);
    expect(played.live.model.messages).toEqual([{ id: 'a', role: 'assistant', content: 'final' }]);
    expect(played.customer.model.messages).toEqual(played.live.model.messages);
    await expectJoined(played);
  });
});
