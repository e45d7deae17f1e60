/** Proves what the client does when its surroundings misbehave: listeners, token sources, networks, sleep. */
import { CLOSE, refusal } from '@triptych/protocol';
import { verifies } from '../../../test/spec/verifies.js';
import { ClientStage, stateOf } from '../test/client-stage.js';
import { onWake } from './adapters/wake-ups.js';
import type { ThreadView } from './core/thread-track.js';
import { SignedOut } from './core/signed-out.js';
import { HubClient } from './hub-client.js';

const TOKEN_WITHIN_MS = 30_000;
const REQUEST_TIMEOUT_MS = 20_000;

let stage: ClientStage;
beforeEach(async () => {
  stage = await ClientStage.open();
});
afterEach(() => stage.close());

const snapshot = (pos: string) => ({
  threadId: 't',
  pos,
  reason: 'join',
  events: [
    { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
    { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
  ],
});
const frame = (prev: string, pos: string, delta: string) => ({
  threadId: 't',
  prev,
  pos,
  events: [{ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta }],
});

/** The views of thread `t`, and one that fits once it came. */
const following = (client: HubClient) => {
  const views: ThreadView[] = [];
  let look = (): void => undefined;
  const stop = client.subscribe('t', (view) => {
    views.push(view);
    look();
  });
  const view = (fits: (view: ThreadView) => boolean): Promise<ThreadView> =>
    new Promise((resolve) => {
      look = () => {
        const last = views.at(-1);
        if (last && fits(last)) resolve(last);
      };
      look();
    });
  return { views, view, stop };
};

const joined = async () => {
  const { client, peer } = await stage.ready();
  const thread = following(client);
  const { frame: asked } = await stage.server.frame('subscribe');
  peer.send('reply', { pos: 'p1', recovered: 'snapshot' }, asked.id);
  peer.send('snapshot', snapshot('p1'));
  await thread.view(({ phase }) => phase === 'live');
  return { client, peer, thread };
};

describe('listeners', () => {
  verifies('CLI-18', 'that throw keep nobody else from hearing and cost no event', async () => {
    const { client, peer, thread } = await joined();
    const mistake = new Error('a listener’s mistake');
    client.subscribe('t', () => {
      throw mistake;
    });
    client.onState(() => {
      throw mistake;
    });
    const last = following(client);
    peer.send('agui', frame('p1', 'p2', 'a'));
    peer.send('agui', frame('p9', 'p10', 'lost'));
    expect((await last.view(({ pos }) => pos === 'p2')).pos).toBe('p2');
    expect(thread.views.at(-1)?.pos).toBe('p2');
    expect((await stage.server.frame('subscribe')).frame.data).toEqual({ threadId: 't', from: 'p2' });
    peer.cut();
    await stateOf(client, 'waiting');
    expect(stage.reported.length).toBeGreaterThan(2);
    expect(new Set(stage.reported)).toEqual(new Set([mistake]));
  });

  verifies('CLI-18', 'that have left hear nothing, not even what others are told just now', async () => {
    const { client, peer, thread } = await joined();
    let heard = 0;
    let leave = (): void => undefined;
    client.subscribe('t', (view) => {
      if (view.pos === 'p2') leave();
    });
    leave = client.subscribe('t', () => (heard += 1));
    peer.send('agui', frame('p1', 'p2', 'a'));
    await thread.view(({ pos }) => pos === 'p2');
    expect(heard).toBe(1);
    leave();
    peer.send('agui', frame('p2', 'p3', 'b'));
    await thread.view(({ pos }) => pos === 'p3');
    expect(heard).toBe(1);
  });

  verifies('CLI-18', 'may be one function twice, and one of the two may leave', async () => {
    const { client, peer, thread } = await joined();
    let heard = 0;
    const hear = (view: ThreadView): void => {
      if (view.pos === 'p2') heard += 1;
    };
    client.subscribe('t', hear)();
    client.subscribe('t', hear);
    peer.send('agui', frame('p1', 'p2', 'a'));
    await thread.view(({ pos }) => pos === 'p2');
    expect(heard).toBe(1);
  });

  verifies('CLI-24', 'that come to a thread that was refused ask for it anew', async () => {
    const { client, peer } = await stage.ready();
    const early = following(client);
    const first = await stage.server.frame('subscribe');
    peer.send('refused', refusal('NOT_FOUND'), first.frame.id);
    await early.view(({ phase }) => phase === 'ended');
    const later = following(client);
    const second = await stage.server.frame('subscribe');
    expect(second.frame.data).toEqual({ threadId: 't' });
    peer.send('reply', { pos: 'p1', recovered: 'snapshot' }, second.frame.id);
    peer.send('snapshot', snapshot('p1'));
    await later.view(({ phase }) => phase === 'live');
    expect(early.views.at(-1)?.phase).toBe('live');
  });
});

describe('a thread that cannot be gone on with', () => {
  const subscribed = async () => (await stage.server.frame('subscribe')).frame;

  verifies('CLI-39', 'is left and joined again after a patch that does not apply', async () => {
    const { peer, thread } = await joined();
    const wrong = { type: 'STATE_DELTA', delta: [{ op: 'remove', path: '/not/there' }] };
    peer.send('agui', { threadId: 't', prev: 'p1', pos: 'p2', events: [wrong] });
    expect((await stage.server.frame('unsubscribe')).frame.data).toEqual({ threadId: 't' });
    const asked = await subscribed();
    expect(asked.data).toEqual({ threadId: 't' });
    expect((await thread.view(({ missed }) => missed !== undefined)).model.state).toEqual({});
    peer.send('reply', { pos: 'p2', recovered: 'snapshot' }, asked.id);
    const { events, ...rest } = snapshot('p2');
    peer.send('snapshot', { ...rest, events: [...events, { type: 'STATE_SNAPSHOT', snapshot: { y: 1 } }] });
    const { model, missed } = await thread.view((view) => view.missed === undefined && view.phase === 'live');
    expect([model.state, missed]).toEqual([{ y: 1 }, undefined]);
  });

  verifies('CLI-40', 'is left and joined again when its position never fits', async () => {
    const { peer } = await joined();
    for (let gaps = 0; gaps < 2; gaps += 1) {
      peer.send('agui', frame('p8', 'p9', 'lost'));
      const asked = await subscribed();
      expect(asked.data).toEqual({ threadId: 't', from: 'p1' });
      peer.send('reply', { pos: 'p9', recovered: 'replay' }, asked.id);
    }
    peer.send('agui', frame('p8', 'p9', 'lost'));
    expect((await stage.server.frame('unsubscribe')).frame.data).toEqual({ threadId: 't' });
    expect((await subscribed()).data).toEqual({ threadId: 't' });
  });
});

describe('connections', () => {
  verifies('CLI-19', 'that end right after ready are tried ever more slowly', async () => {
    const client = stage.client();
    client.start();
    const waits: number[] = [];
    for (let tries = 0; tries < 4; tries += 1) {
      const peer = await stage.server.peer();
      peer.ready();
      await stateOf(client, 'ready');
      peer.close(CLOSE.RESTART.code);
      const state = await stateOf(client, 'waiting');
      if (state.state !== 'waiting') throw new Error('not waiting');
      waits.push(state.retryAt - stage.clock.now());
      stage.clock.advance(state.retryAt - stage.clock.now());
    }
    expect(waits).toEqual([250, 500, 1_000, 2_000]);
    const steady = await stage.server.peer();
    steady.ready();
    await stateOf(client, 'ready');
    stage.clock.advance(5_000);
    steady.cut();
    expect(await stateOf(client, 'waiting')).toMatchObject({ attempt: 1 });
  });

  verifies('CLI-1', 'the hub ends with a code and a time are tried again then, and not before', async () => {
    const client = stage.client();
    client.start();
    const causes: unknown[] = [];
    for (const reason of ['RESTART', 'SLOW', 'TOO_FAST', 'STORE_AWAY', 'UNAUTHENTICATED'] as const) {
      const peer = await stage.server.peer();
      peer.ready();
      await stateOf(client, 'ready');
      stage.clock.advance(5_000);
      const { code, next } = CLOSE[reason];
      peer.send('closing', { code, next, retryAfterMs: 7_000 });
      peer.close(code);
      const state = await stateOf(client, 'waiting');
      if (state.state !== 'waiting') throw new Error('not waiting');
      causes.push(state.cause);
      expect(state.retryAt - stage.clock.now()).toBe(7_250);
      stage.clock.advance(7_250);
    }
    expect(causes).toEqual(['restart', 'slow', 'rate', 'store', 'token']);
  });

  verifies(
    'CLI-25',
    'stopped while they open never become ready; followed threads go on at start',
    async () => {
      const { client, thread } = await joined();
      client.stop();
      expect(thread.views.at(-1)?.phase).toBe('catching-up');
      client.start();
      client.stop();
      client.start();
      const peer = await stage.server.peer();
      peer.ready();
      await stateOf(client, 'ready');
      expect((await stage.server.frame('subscribe')).frame.data).toEqual({ threadId: 't', from: 'p1' });
    },
  );

  verifies('CLI-25', 'stopped by a listener of ready send nothing more', async () => {
    const client = stage.client();
    client.subscribe('t', () => undefined);
    client.onState((state) => {
      if (state.state === 'ready') client.stop();
    });
    client.start();
    (await stage.server.peer()).ready();
    expect(await stateOf(client, 'closed')).toEqual({ state: 'closed', reason: 'stopped' });
    expect(stage.server.received).toEqual([]);
  });

  verifies('CLI-23', 'of a page that comes back prove that they live, or are made at once', async () => {
    const { client, peer } = await stage.ready();
    client.retryNow();
    await stage.server.frame('ping');
    stage.clock.advance(10_000);
    expect(await stateOf(client, 'waiting')).toMatchObject({ cause: 'network' });
    client.retryNow();
    (await stage.server.peer()).ready();
    await stateOf(client, 'ready');
    peer.cut();
  });

  verifies('CLI-23', 'hear that a page came back, until they are stopped', () => {
    const page = Object.assign(new EventTarget(), {
      document: Object.assign(new EventTarget(), { visibilityState: 'hidden' }),
    });
    let woken = 0;
    const stop = onWake(() => (woken += 1), page);
    page.dispatchEvent(new Event('online'));
    page.dispatchEvent(new Event('pageshow'));
    page.document.dispatchEvent(new Event('visibilitychange'));
    expect(woken).toBe(2);
    page.document.visibilityState = 'visible';
    page.document.dispatchEvent(new Event('visibilitychange'));
    expect(woken).toBe(3);
    stop();
    page.dispatchEvent(new Event('online'));
    page.document.dispatchEvent(new Event('visibilitychange'));
    expect(woken).toBe(3);
  });
});

describe('token sources', () => {
  const sources: readonly [string, () => Promise<string>][] = [
    [
      'throw',
      () => {
        throw new Error('no network');
      },
    ],
    ['reject', () => Promise.reject(new Error('no network'))],
    ['give what is no token', () => Promise.resolve('two words')],
  ];
  for (const [what, source] of sources)
    verifies('CLI-21', `that ${what} are asked again later`, async () => {
      let tried = 0;
      const getToken = () => ((tried += 1) === 1 ? source() : Promise.resolve('token'));
      const client = stage.client({ getToken });
      client.start();
      expect(await stateOf(client, 'waiting')).toMatchObject({ cause: 'token', attempt: 1 });
      stage.clock.advance(250);
      (await stage.server.peer()).ready();
      await stateOf(client, 'ready');
    });

  verifies('CLI-21', 'that never answer are given up, and what they say then means nothing', async () => {
    let late: (token: string) => void = () => undefined;
    let tried = 0;
    const getToken = (): Promise<string> =>
      (tried += 1) === 1 ? new Promise((resolve) => (late = resolve)) : Promise.resolve('token');
    const client = stage.client({ getToken });
    client.start();
    stage.clock.advance(TOKEN_WITHIN_MS);
    expect(client.state).toMatchObject({ state: 'waiting', cause: 'token' });
    late('late');
    stage.clock.advance(250);
    const peer = await stage.server.peer();
    expect(peer.protocols).toContain('bearer.token');
  });

  verifies('CLI-26', 'that are signed out close the client, and requests are told why', async () => {
    const client = stage.client({ getToken: () => Promise.reject(new SignedOut()) });
    client.start();
    await stateOf(client, 'closed');
    expect(await client.cancel('t', 'r')).toMatchObject({ refusal: { code: 'UNAUTHENTICATED' } });
    client.stop();
    const { client: other, peer } = await stage.ready();
    const cut = other.cancel('t', 'r');
    await stage.server.frame('cancel');
    peer.close(CLOSE.FORBIDDEN.code);
    expect(await cut).toMatchObject({ refusal: { code: 'FORBIDDEN', next: 'stop' } });
  });
});

describe('requests', () => {
  verifies('CLI-20', 'that the hub could not take just now are sent again as they were', async () => {
    const { client, peer } = await stage.ready();
    const cancelled = client.cancel('t', 'r');
    const first = await stage.server.frame('cancel');
    peer.send('refused', refusal('STORE_UNAVAILABLE', { retryAfterMs: 1_000 }), first.frame.id);
    const told = client.run({ agentId: 'a', threadId: 't', runId: 'q', messages: [] });
    const run = await stage.server.frame('run');
    peer.send('refused', refusal('THREAD_BUSY'), run.frame.id);
    expect(await told).toMatchObject({ refusal: { code: 'THREAD_BUSY' } });
    stage.clock.advance(1_250);
    const second = await stage.server.frame('cancel');
    expect(second.frame).toEqual(first.frame);
    peer.send('refused', refusal('DRAINING'), second.frame.id);
    peer.send('closing', { code: CLOSE.RESTART.code, next: 'retry', retryAfterMs: 0 });
    peer.close(CLOSE.RESTART.code);
    await stateOf(client, 'waiting');
    stage.clock.advance(250);
    const next = await stage.server.peer();
    next.ready();
    const third = await stage.server.frame('cancel');
    next.send('reply', { state: 'cancelling' }, third.frame.id);
    expect(await cancelled).toEqual({ ok: true, value: { state: 'cancelling' } });
  });

  verifies('CLI-20', 'that it never takes end with what it said', async () => {
    const { client, peer } = await stage.ready();
    const cancelled = client.cancel('t', 'r');
    const { frame: asked } = await stage.server.frame('cancel');
    peer.send('refused', refusal('STORE_UNAVAILABLE', { retryAfterMs: 60_000 }), asked.id);
    peer.send('thread', { threadId: 't', status: 'idle' });
    await new Promise<void>((resolve) => client.onThreadStatus(() => resolve()));
    stage.clock.advance(REQUEST_TIMEOUT_MS);
    expect(await cancelled).toMatchObject({ refusal: { code: 'STORE_UNAVAILABLE', retryAfterMs: 60_000 } });
  });

  verifies(
    'CLI-22',
    'too large for the hub, or no JSON, are refused here; the connection stays',
    async () => {
      const client = stage.client();
      client.start();
      const unborn = client.run({ agentId: 'a', messages: [], state: { big: 10n } });
      expect(await unborn).toMatchObject({ refusal: { code: 'INVALID_INPUT' } });
      const large = client.run({ agentId: 'a', messages: [], state: 'é'.repeat(600) });
      const peer = await stage.server.peer();
      peer.ready(60_000, { frameBytes: 100, runFrameBytes: 1_000 });
      expect(await large).toMatchObject({
        refusal: { code: 'PAYLOAD_TOO_LARGE', details: { limit: 'MAX_BODY' } },
      });
      const comment = client.task('comment', { taskId: 'x', text: 'y'.repeat(200) });
      expect(await comment).toMatchObject({ refusal: { details: { limit: 'MAX_FRAME' } } });
      void client.run({ agentId: 'a', messages: [], state: 'e'.repeat(600) });
      await stage.server.frame('run');
      expect(client.state.state).toBe('ready');
    },
  );

  verifies('CLI-22', 'beyond a thousand without an answer are refused', async () => {
    const { client } = await stage.ready();
    const all = Array.from({ length: 1_001 }, () => client.cancel('t', 'r'));
    expect(await all.at(-1)).toMatchObject({ refusal: { code: 'RATE_LIMITED' } });
  });

  verifies('CLI-22', 'an address that is none is told when the client is made', () => {
    expect(() => stage.client({ url: 'nowhere' })).toThrow('Invalid URL');
    expect(() => stage.client({ url: 'ftp://hub' })).toThrow('Not an address');
  });
});
