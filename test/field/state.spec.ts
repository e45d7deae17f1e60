/** Proves, against the whole product, that state and snapshots come to the same on every screen, whatever an agent patches. */
import { diffJson, type AguiEvent, type Message } from '@triptych/protocol';
import { verifies } from '../spec/verifies.js';
import { FieldStage, STAGE_MS, type Seen } from './stage.js';

let stage: FieldStage;
beforeAll(async () => {
  stage = await FieldStage.start();
}, STAGE_MS);
afterAll(() => stage.stop(), STAGE_MS);

const state = (snapshot: unknown): AguiEvent => ({ type: 'STATE_SNAPSHOT', snapshot });
const delta = (...operations: readonly object[]): AguiEvent => ({ type: 'STATE_DELTA', delta: operations });
const restated = (...messages: readonly object[]): AguiEvent => ({ type: 'MESSAGES_SNAPSHOT', messages });

const run = (threadId: string, ...events: readonly AguiEvent[]): Promise<Seen> =>
  stage.play(threadId, [
    { type: 'RUN_STARTED', threadId, runId: 'run-1' },
    ...events,
    { type: 'RUN_FINISHED', threadId, runId: 'run-1' },
  ]);

/** One state on every screen, live and joined. */
const stateIn = ({ live }: Seen): unknown => {
  const [one, ...others] = Object.values(live).map(({ model }) => model.state);
  for (const other of others) expect(other).toEqual(one);
  return one;
};
/** Customers and reviewers are told by a name that the agent speaks for a user. */
const unnamed = (message: Message): Message => ({ ...message, name: undefined }) as unknown as Message;
const messagesIn = ({ live }: Seen): readonly Message[] => {
  const [one = [], ...others] = Object.values(live).map(({ model }) => model.messages.map(unnamed));
  for (const other of others) expect(other).toEqual(one);
  return one;
};
const errorsIn = ({ live }: Seen) => Object.values(live).map(({ model }) => model.run?.error?.code);
const UNHURT = [undefined, undefined, undefined];
const BROKEN = Array(3).fill('hub/protocol-violation');

describe('patches', () => {
  const order = { order: { id: 1 } };
  const traps: readonly object[] = [
    { op: 'add', path: '/__proto__/isAdmin', value: true },
    { op: 'add', path: '/constructor/prototype/isAdmin', value: true },
    { op: 'copy', from: '/constructor/name', path: '/x' },
    { op: 'copy', from: '/__proto__', path: '/x' },
    { op: 'move', from: '/order', path: '/__proto__' },
    { op: 'replace', path: '/order/__proto__', value: { isAdmin: true } },
    { op: 'test', path: '/toString/name', value: 'toString' },
    { op: 'remove', path: '/hasOwnProperty' },
  ];
  verifies('PRO-22', 'ST-01: reach no prototype, by path or from, and the run goes on', async () => {
    const seen = await run('st-01', state(order), ...traps.map((trap) => delta(trap)));
    expect(errorsIn(seen)).toEqual(UNHURT);
    expect(stateIn(seen)).toEqual(order);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
    const own = await run('st-01-own', {
      type: 'STATE_SNAPSHOT',
      snapshot: JSON.parse('{"__proto__":{"a":1}}'),
    });
    expect(JSON.stringify(stateIn(own))).toBe('{"__proto__":{"a":1}}');
  });

  verifies('PRO-22', 'ST-03: write to no place in a list that is none', async () => {
    const places = ['-1', '01', '1.5', '8', '1e0', ' 1', '', '99999999999999999999', 'length'];
    const bad = places.map((place) => delta({ op: 'add', path: `/bar/${place}`, value: 'X' }));
    const seen = await run(
      'st-03',
      ...[state({ bar: [1, 2] }), ...bad, delta({ op: 'remove', path: '/bar/9' })],
      ...[delta({ op: 'remove', path: '/bar/-' }), delta({ op: 'replace', path: '/bar/2', value: 'X' })],
      delta({ op: 'add', path: '/bar/-', value: 3 }),
    );
    expect(errorsIn(seen)).toEqual(UNHURT);
    expect(stateIn(seen)).toEqual({ bar: [1, 2, 3] });
  });

  verifies('PRO-22', 'ST-03: apply whole or not at all', async () => {
    const half = delta({ op: 'add', path: '/bar/-', value: 3 }, { op: 'remove', path: '/bar/9' });
    const seen = await run('st-03-half', state({ bar: [1, 2] }), half);
    expect(stateIn(seen)).toEqual({ bar: [1, 2] });
  });

  verifies('PRO-22', 'ST-04: read escapes in the right order', async () => {
    const seen = await run(
      'st-04',
      state({}),
      delta({ op: 'add', path: '/user~1name', value: 'Ada' }, { op: 'add', path: '/m~01', value: 2 }),
      delta({ op: 'add', path: '/', value: 'empty' }),
    );
    expect(stateIn(seen)).toEqual({ 'user/name': 'Ada', 'm~1': 2, '': 'empty' });
  });

  verifies('PRO-24', 'ST-04: are written by the hub with the same escapes', async () => {
    const thread = 'st-04-own';
    const before = { wish: { 'a/b': 1, 'm~1': { '~0': 'x' } } };
    await run(thread, state(before));
    stage.agent.tell(thread, [
      { type: 'RUN_STARTED', threadId: thread, runId: 'run-2' },
      { type: 'RUN_FINISHED', threadId: thread, runId: 'run-2' },
    ]);
    const after = { wish: { 'a/b': 2, 'm~1': { '~0': 'y', '': 0 } } };
    await stage.run(thread, 'run-2', { state: after });
    const written = (await stage.log(thread)).find(
      ({ source, event }) => source === 'hub' && typeof event !== 'string',
    );
    expect(written?.event).toMatchObject({ type: 'STATE_DELTA' });
    const { events } = await stage.snapshot(thread, 'customer');
    expect(events.find(({ type }) => type === 'STATE_SNAPSHOT')?.['snapshot']).toEqual(after);
    expect(diffJson({ 'a/b~': 1 }, { 'a/b~': 2 })).toEqual([{ op: 'replace', path: '/a~1b~0', value: 2 }]);
  });

  verifies('PRO-9', 'ST-06: whose path is no pointer end the run, with the place', async () => {
    const paths = ['lastName', '/a~2b', '/a~', 'lastName/x', '#/lastName'];
    for (const [nth, path] of paths.entries()) {
      const ada = { firstName: 'Ada' };
      const seen = await run(`st-06-${nth}`, state(ada), delta({ op: 'add', path, value: 'Byron' }));
      expect([path, ...errorsIn(seen)]).toEqual([path, ...BROKEN]);
      expect(stateIn(seen)).toEqual(ada);
      expect(seen.log.at(-1)).toMatchObject({ refused: true, rule: 'malformed' });
    }
    const from = await run('st-06-from', state({ a: 1 }), delta({ op: 'copy', from: 'a', path: '/b' }));
    expect(errorsIn(from)).toEqual(BROKEN);
  });
});

describe('snapshots of messages', () => {
  const plan = (done: number): object => ({
    id: 'act',
    role: 'activity',
    activityType: 'plan',
    content: { done },
  });

  verifies('PRO-16', 'ST-08: bring activities that are there up to date', async () => {
    const first = { type: 'ACTIVITY_SNAPSHOT', messageId: 'act', activityType: 'plan', content: { done: 0 } };
    const seen = await run('st-08', first, restated(plan(3)));
    expect(messagesIn(seen)).toMatchObject([plan(3)]);
    const mixed = await run('st-08-new', first, restated({ ...plan(1), id: 'new' }, plan(2)));
    expect(messagesIn(mixed).map(({ id, content }) => [id, content])).toEqual(
      expect.arrayContaining([
        ['act', { done: 2 }],
        ['new', { done: 1 }],
      ]),
    );
    const silent = await run('st-08-silent', first, restated({ id: 'u', role: 'user', content: 'hi' }));
    expect(
      messagesIn(silent)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(['act', 'u']);
  });

  verifies('PRO-16', 'ST-10: tell messages apart by id, never by what they say', async () => {
    const told = restated(
      { id: 'u1', role: 'user', content: 'yes' },
      { id: 'a1', role: 'assistant', content: 'Delete?' },
      { id: 'u2', role: 'user', content: 'yes' },
    );
    const seen = await run('st-10', told, told);
    expect(messagesIn(seen).map(({ id }) => id)).toEqual(['u1', 'a1', 'u2']);
    const streamed = ['a', 'b'].flatMap((messageId) => [
      { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: 'yes' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: 'yes' },
      { type: 'TEXT_MESSAGE_END', messageId },
    ]);
    const spoken = await run('st-10-live', ...streamed);
    expect(messagesIn(spoken).map(({ content }) => content)).toEqual(['yesyes', 'yesyes']);
  });

  verifies('HUB-47', 'ST-10: a person who says the same thing twice has said it twice', async () => {
    const thread = 'st-10-twice';
    const yes = (id: string) => ({ id, role: 'user', content: 'yes' });
    const answer = (runId: string): readonly AguiEvent[] => [
      { type: 'RUN_STARTED', threadId: thread, runId },
      { type: 'RUN_FINISHED', threadId: thread, runId },
    ];
    await stage.open(thread);
    stage.agent.tell(thread, answer('a'), answer('b'), answer('c'));
    await stage.run(thread, 'a', { messages: [yes('u1')] });
    await stage.run(thread, 'b', { messages: [yes('u1'), yes('u2')] });
    await stage.run(thread, 'c', { messages: [yes('u2')] });
    const { events } = await stage.snapshot(thread, 'customer');
    const told = events.find(({ type }) => type === 'MESSAGES_SNAPSHOT') as
      { messages?: Message[] } | undefined;
    expect(told?.messages?.map(({ id }) => id)).toEqual(['u1', 'u2']);
  });

  verifies('PRO-13', 'ST-11: that give one id to two are refused whole', async () => {
    const before = { id: 'u', role: 'user', content: 'why?' };
    const twice = restated(
      { id: 'A', role: 'reasoning', content: 'hmm' },
      { id: 'A', role: 'assistant', content: '42' },
    );
    const seen = await run('st-11', restated(before), twice);
    expect(errorsIn(seen)).toEqual(BROKEN);
    expect(messagesIn(seen)).toEqual([before]);
    expect(seen.log.at(-1)).toMatchObject({ refused: true, rule: 'duplicate-message' });
  });
});
