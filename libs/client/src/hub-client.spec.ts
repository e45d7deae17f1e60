/** Proves the client against a real WebSocket server that speaks the frames. */
import { WebSocket } from 'ws';
import { CLOSE, refusal, type TaskView } from '@triptych/protocol';
import { verifies } from '../../../test/spec/verifies.js';
import { FrameServer } from '../test/frame-server.js';
import { HandClock } from '../test/hand-clock.js';
import type { SocketConstructor } from './adapters/socket-line.js';
import { HubClient, type HubClientOptions } from './hub-client.js';
import { SignedOut } from './core/signed-out.js';
import type { ConnectionState } from './core/connection.js';
import type { InboxView } from './core/inbox-track.js';
import type { ThreadView } from './core/thread-track.js';

const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
const start = { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' };
const content = (delta: string) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta });

let server: FrameServer;
let clock: HandClock;
let client: HubClient;
let tokens: boolean[];

const makeClient = (more: Partial<HubClientOptions> = {}): HubClient => {
  let ids = 0;
  client = new HubClient({
    url: server.url,
    surface: 'customer',
    getToken: ({ fresh }) => {
      tokens.push(fresh);
      return Promise.resolve(`token${tokens.length}`);
    },
    WebSocketImpl: WebSocket as unknown as SocketConstructor,
    clock,
    random: () => 0.5,
    newId: () => `id${(ids += 1)}`,
    ...more,
  });
  client.start();
  return client;
};

const until = <T>(
  watch: (listener: (value: T) => void) => () => void,
  fits: (value: T) => boolean,
): Promise<T> =>
  new Promise((resolve) => {
    const stop = watch((value) => {
      if (!fits(value)) return;
      queueMicrotask(() => stop());
      resolve(value);
    });
  });
const stateOf = (name: ConnectionState['state']) =>
  client.state.state === name
    ? Promise.resolve(client.state)
    : until<ConnectionState>(
        (listener) => client.onState(listener),
        (state) => state.state === name,
      );

/** Stays subscribed for the whole test and lets it wait for a view. */
const follow = (threadId: string) => {
  const listeners = new Set<(view: ThreadView) => void>();
  const followed = { view: undefined as ThreadView | undefined, stop: () => undefined as void, seen: 0 };
  followed.stop = client.subscribe(threadId, (view) => {
    followed.view = view;
    followed.seen += 1;
    for (const listener of [...listeners]) listener(view);
  });
  const wait = (fits: (view: ThreadView) => boolean): Promise<ThreadView> =>
    until<ThreadView>((listener) => {
      listeners.add(listener);
      if (followed.view) listener(followed.view);
      return () => listeners.delete(listener);
    }, fits);
  return { followed, wait };
};

beforeEach(async () => {
  server = await FrameServer.start();
  clock = new HandClock();
  tokens = [];
});
afterEach(async () => {
  client.stop();
  await server.stop();
});

describe('connecting', () => {
  verifies(
    'CLI-12',
    'the token travels as a subprotocol to the door of the surface, never in the address',
    async () => {
      makeClient();
      const peer = await server.peer();
      expect(peer.protocols.split(/,\s*/)).toEqual(['triptych.v1+json', 'bearer.token1']);
      expect(peer.path).toBe('/ws/customer');
      peer.ready();
      expect(await stateOf('ready')).toMatchObject({ session: { subject: 'amelia' } });
    },
  );

  verifies('CLI-2', 'a cut connection is tried again after the wait, at once on request', async () => {
    makeClient();
    const first = await server.peer();
    first.ready();
    await stateOf('ready');
    first.cut();
    expect(await stateOf('waiting')).toMatchObject({
      cause: 'network',
      retryAt: clock.now() + 250,
      attempt: 1,
    });
    clock.advance(250);
    (await server.peer()).cut();
    await stateOf('waiting');
    client.retryNow();
    (await server.peer()).ready();
    await stateOf('ready');
    expect(tokens).toEqual([false, false, true]);
  });

  verifies('CLI-1', 'a withdrawn role and a missing token end the connection', async () => {
    makeClient();
    const peer = await server.peer();
    peer.ready();
    await stateOf('ready');
    peer.close(CLOSE.FORBIDDEN.code);
    expect(await stateOf('closed')).toEqual({ state: 'closed', reason: 'forbidden' });
    makeClient({ getToken: () => Promise.reject(new SignedOut()) });
    expect(await stateOf('closed')).toEqual({ state: 'closed', reason: 'signed-out' });
  });

  verifies('CLI-8', 'silence is answered with a ping, more silence is a loss', async () => {
    makeClient();
    (await server.peer()).ready(1_000);
    await stateOf('ready');
    clock.advance(1_000);
    const { peer } = await server.frame('ping');
    peer.send('pong');
    peer.send('thread', { threadId: 't', status: 'idle' });
    await until(
      (listener) => client.onThreadStatus(listener),
      () => true,
    );
    clock.advance(1_000);
    await server.frame('ping');
    clock.advance(1_000);
    expect(client.state).toMatchObject({ state: 'waiting', cause: 'network' });
  });

  verifies('CLI-9', 'an expiring token is renewed on the open connection', async () => {
    makeClient();
    const peer = await server.peer();
    peer.ready();
    peer.send('auth.expiring', { at: clock.now() + 60_000 });
    const { frame } = await server.frame('auth');
    expect(frame.data).toEqual({ token: 'token2' });
    expect(tokens).toEqual([false, true]);
    expect(client.state.state).toBe('ready');
  });
});

const textIs = (text: string) => (view: ThreadView) =>
  view.model.messages.some((message) => message.id === 'm' && message.content === text);

/** Connected, and thread `t` live at `p1` with an empty message. */
const joined = async () => {
  makeClient();
  const peer = await server.peer();
  peer.ready();
  const thread = follow('t');
  const { frame } = await server.frame('subscribe');
  expect(frame.data).toEqual({ threadId: 't' });
  // In one burst: the snapshot counts although no promise has been looked at in between.
  peer.send('reply', { pos: 'p1', recovered: 'snapshot' }, frame.id);
  peer.send('snapshot', { threadId: 't', pos: 'p1', reason: 'join', events: [started, start] });
  await thread.wait((view) => view.phase === 'live');
  return { peer, thread };
};

describe('following a thread', () => {
  verifies(
    'CLI-5',
    'a gap is asked for again from the own position; the old delivery no longer counts',
    async () => {
      const { peer, thread } = await joined();
      peer.send('agui', { threadId: 't', prev: 'p2', pos: 'p3', events: [content('c')] });
      const { frame } = await server.frame('subscribe');
      expect(frame.data).toEqual({ threadId: 't', from: 'p1' });
      peer.send('agui', { threadId: 't', prev: 'p3', pos: 'p4', events: [content('d')] });
      peer.send('reply', { pos: 'p4', recovered: 'replay' }, frame.id);
      peer.send('agui', {
        threadId: 't',
        prev: 'p1',
        pos: 'p4',
        events: [content('b'), content('c'), content('d')],
      });
      expect((await thread.wait(textIs('bcd'))).pos).toBe('p4');
    },
  );

  verifies('CLI-4', 'after a cut every thread goes on from its own position and ends whole', async () => {
    const { peer, thread } = await joined();
    peer.send('agui', { threadId: 't', prev: 'p1', pos: 'p2', events: [content('a')] });
    await thread.wait(textIs('a'));
    peer.cut();
    await thread.wait((view) => view.phase === 'catching-up');
    clock.advance(10_000);
    const again = await server.peer();
    again.ready();
    const { frame } = await server.frame('subscribe');
    expect(frame.data).toEqual({ threadId: 't', from: 'p2' });
    again.send('reply', { pos: 'p3', recovered: 'replay' }, frame.id);
    again.send('agui', { threadId: 't', prev: 'p2', pos: 'p3', events: [content('b')] });
    expect((await thread.wait(textIs('ab'))).phase).toBe('live');
  });

  verifies('CLI-7', 'a head that is not ours leads to a new subscribe', async () => {
    const { peer } = await joined();
    peer.send('head', { threadId: 't', pos: 'p9' });
    expect((await server.frame('subscribe')).frame.data).toEqual({ threadId: 't', from: 'p1' });
  });

  verifies('CLI-11', 'lost access ends the thread and is not asked for again', async () => {
    const { peer, thread } = await joined();
    peer.send('unsubscribed', { threadId: 't', code: 'NOT_FOUND' });
    expect(await thread.wait((view) => view.phase === 'ended')).toMatchObject({ ended: 'NOT_FOUND' });
    peer.cut();
    await stateOf('waiting');
    clock.advance(10_000);
    const again = await server.peer();
    again.ready();
    await stateOf('ready');
    void client.cancel('other', 'r');
    await server.frame('cancel');
    expect(server.received.filter(({ frame }) => frame.event === 'subscribe')).toEqual([]);
  });

  verifies(
    'CLI-13',
    'listeners of one thread share one subscription, the last to leave ends it',
    async () => {
      const { thread } = await joined();
      const second = follow('t');
      expect(second.followed.view).toBe(thread.followed.view);
      thread.followed.stop();
      second.followed.stop();
      expect((await server.frame('unsubscribe')).frame.data).toEqual({ threadId: 't' });
      expect(server.received).toEqual([]);
    },
  );
});

describe('requests', () => {
  verifies('CLI-14', 'a request gets its reply or its refusal, by id', async () => {
    makeClient();
    const peer = await server.peer();
    peer.ready();
    await stateOf('ready');
    const claim = client.task('claim', { taskId: 'x' });
    const comment = client.task('comment', { taskId: 'x', text: 'hm' });
    const first = await server.frame('task.claim');
    const second = await server.frame('task.comment');
    peer.send('refused', refusal('CLAIM_LOST'), second.frame.id);
    peer.send('reply', { taskId: 'x', rev: 2 }, first.frame.id);
    expect(await claim).toEqual({ ok: true, value: { taskId: 'x', rev: 2 } });
    expect(await comment).toMatchObject({ ok: false, refusal: { code: 'CLAIM_LOST', next: 'resync' } });
  });

  verifies('CLI-10', 'a run cut off before its reply is repeated with the same ids', async () => {
    makeClient();
    const peer = await server.peer();
    peer.ready();
    await stateOf('ready');
    const run = client.run({ agentId: 'a', messages: [] });
    const { frame } = await server.frame('run');
    expect(frame.data).toMatchObject({
      agentId: 'a',
      threadId: expect.any(String),
      runId: expect.any(String),
    });
    peer.cut();
    await stateOf('waiting');
    clock.advance(10_000);
    const again = await server.peer();
    again.ready();
    const repeated = await server.frame('run');
    expect(repeated.frame).toEqual(frame);
    again.send('reply', { threadId: 't', runId: 'r' }, repeated.frame.id);
    expect(await run).toEqual({ ok: true, value: { threadId: 't', runId: 'r' } });
  });

  verifies(
    'CLI-15',
    'a decision carries one key for all its repeats, and another act another key',
    async () => {
      makeClient();
      const peer = await server.peer();
      peer.ready();
      await stateOf('ready');
      const decision = { taskId: 'x', rev: 1, verb: 'approve', proposalHash: 'h' } as const;
      void client.task('decide', decision);
      const first = await server.frame('task.decide');
      peer.cut();
      await stateOf('waiting');
      clock.advance(10_000);
      (await server.peer()).ready();
      expect((await server.frame('task.decide')).frame).toEqual(first.frame);
      void client.task('decide', decision);
      const other = await server.frame('task.decide');
      const keyOf = (data: unknown) => (data as { idempotencyKey: string }).idempotencyKey;
      expect(keyOf(other.frame.data)).not.toBe(keyOf(first.frame.data));
    },
  );

  verifies('CLI-16', 'no request waits for ever: silence and a closed client are refusals', async () => {
    makeClient();
    (await server.peer()).ready();
    await stateOf('ready');
    const slow = client.cancel('t', 'r');
    await server.frame('cancel');
    clock.advance(20_000);
    expect(await slow).toMatchObject({ ok: false, refusal: { code: 'STORE_UNAVAILABLE' } });
    const late = client.cancel('t', 'r');
    client.stop();
    expect(await late).toMatchObject({ ok: false });
    expect(await client.cancel('t', 'r')).toMatchObject({ ok: false });
  });
});

describe('the inbox', () => {
  verifies('CLI-17', 'is kept current by frames, and asked for again after a loss', async () => {
    makeClient();
    const peer = await server.peer();
    peer.ready();
    await stateOf('ready');
    const views: InboxView[] = [];
    let heard = (): void => undefined;
    const listener = (view: InboxView): void => {
      views.push(view);
      heard();
    };
    client.inbox({ group: 'advisors' }, listener, 200);
    const next = (fits: (view: InboxView) => boolean) =>
      new Promise<InboxView>((resolve) => {
        heard = () => {
          const last = views.at(-1);
          if (last && fits(last)) resolve(last);
        };
        heard();
      });
    const task = (taskId: string, rev: number) => ({ taskId, rev }) as TaskView;
    const { frame } = await server.frame('inbox.subscribe');
    expect(frame.data).toEqual({ filter: { group: 'advisors' }, limit: 200 });
    peer.send('reply', { items: [task('a', 1), task('b', 1)], counts: { pending: 2 } }, frame.id);
    await next((view) => view.items.length === 2);
    peer.send('task', task('a', 2));
    peer.send('task', task('c', 1));
    peer.send('task', { taskId: 'b', gone: true });
    peer.send('counts', { pending: 3 });
    const current = await next((view) => view.counts.pending === 3);
    expect(current.items).toEqual([task('a', 2), task('c', 1)]);
    peer.send('inbox.reset');
    const again = await server.frame('inbox.subscribe');
    peer.send('reply', { items: [task('d', 1)], counts: {} }, again.frame.id);
    expect((await next((view) => view.items.length === 1)).items).toEqual([task('d', 1)]);
  });
});
