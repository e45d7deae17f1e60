/** Proves what the agent tells AG-UI's own pipeline when snapshots, losses and refusals come in the middle. */
import type { AbstractAgent } from '@ag-ui/client';
import { CLOSE, refusal } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import { ClientStage, stateOf } from '../../test/client-stage.js';
import type { Peer } from '../../test/frame-server.js';
import { HubAgent } from './hub-agent.js';

const IDLE_MS = 5_000;

let stage: ClientStage;
const { error: print } = console;
beforeEach(async () => {
  stage = await ClientStage.open();
  // The pipeline prints what it throws as well.
  console.error = () => undefined;
});
afterEach(async () => {
  console.error = print;
  await stage.close();
});

const started = (runId: string) => ({ type: 'RUN_STARTED', threadId: 't', runId });
const finished = (runId: string, more = {}) => ({ type: 'RUN_FINISHED', threadId: 't', runId, ...more });
const asked = (runId: string) =>
  finished(runId, { outcome: { type: 'interrupt', interrupts: [{ id: 'i', reason: 'hub:under_review' }] } });
const start = { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' };
const content = (delta: string) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta });
const end = { type: 'TEXT_MESSAGE_END', messageId: 'm' };
const messages = (text: string) => ({
  type: 'MESSAGES_SNAPSHOT',
  messages: [{ id: 'm', role: 'assistant', content: text }],
});
const state = (snapshot: unknown) => ({ type: 'STATE_SNAPSHOT', snapshot });

const frame = (prev: string, pos: string, events: readonly unknown[]) => ({
  threadId: 't',
  prev,
  pos,
  events,
});
const snapshot = (pos: string, reason: string, events: readonly unknown[]) => ({
  threadId: 't',
  pos,
  reason,
  events,
});

const joins = async (peer: Peer, pos: string, events: readonly unknown[] = []): Promise<void> => {
  const { frame: subscribe } = await stage.server.frame('subscribe');
  peer.send('reply', { pos, recovered: 'snapshot' }, subscribe.id);
  peer.send('snapshot', snapshot(pos, 'join', events));
};

const ready = async () => {
  const { client, peer } = await stage.ready();
  return { client, peer, agent: new HubAgent({ client, agentId: 'a', threadId: 't' }) };
};

/** A run that is under way: its beginning and the first word are told. */
const running = async () => {
  const { client, peer, agent } = await ready();
  const types: string[] = [];
  let heard = (): void => undefined;
  const run = agent.runAgent(
    { runId: 'r' },
    {
      onEvent: ({ event }) => {
        types.push(event.type);
        heard();
      },
    },
  );
  await joins(peer, 'p0');
  const { frame: request } = await stage.server.frame('run');
  peer.send('reply', { threadId: 't', runId: 'r' }, request.id);
  const first = new Promise<void>((resolve) => {
    heard = () => types.includes('TEXT_MESSAGE_CONTENT') && resolve();
  });
  peer.send('agui', frame('p0', 'p1', [started('r'), start, content('a')]));
  await first;
  return { client, peer, agent, run, types };
};

const reconnected = async (peer: Peer, client: HubAgent['client']): Promise<Peer> => {
  peer.cut();
  await stateOf(client, 'waiting');
  stage.clock.advance(1_000);
  const again = await stage.server.peer();
  again.ready();
  return again;
};

const textOf = (agent: AbstractAgent) => agent.messages.find(({ id }) => id === 'm')?.content;

describe('a run over the socket', () => {
  verifies('CLI-28', 'goes on legally from a snapshot in its middle', async () => {
    const { client, peer, agent, run, types } = await running();
    const again = await reconnected(peer, client);
    await joins(again, 'p8', [started('r'), messages('abc'), state({ n: 1 }), start]);
    again.send('agui', frame('p8', 'p9', [content('d'), end, finished('r')]));
    await run;
    expect(textOf(agent)).toBe('abcd');
    expect(agent.state).toEqual({ n: 1 });
    expect(types.filter((type) => type === 'RUN_STARTED')).toHaveLength(1);
  });

  verifies('CLI-28', 'ends with a snapshot in which it has ended', async () => {
    const { client, peer, agent, run } = await running();
    const again = await reconnected(peer, client);
    await joins(again, 'p8', [started('r'), messages('abc'), state({}), asked('r')]);
    await run;
    expect(textOf(agent)).toBe('abc');
    expect(agent.pendingInterrupts).toMatchObject([{ id: 'i' }]);
  });

  verifies(
    'CLI-28',
    'says that its end was not seen when another run is there and nobody knows',
    async () => {
      const { client, peer, agent, run, types } = await running();
      const again = await reconnected(peer, client);
      await joins(again, 'p8', [started('other'), messages('abc'), state({})]);
      await run;
      expect(textOf(agent)).toBe('abc');
      expect(types.at(-1)).toBe('RUN_ERROR');
    },
  );

  verifies(
    'CLI-30',
    'fails when the thread may no longer be read, and when the client is closed',
    async () => {
      const { peer, run } = await running();
      peer.send('unsubscribed', { threadId: 't', code: 'NOT_FOUND' });
      await expect(run).rejects.toMatchObject({ name: 'HubRefused', code: 'NOT_FOUND' });
      const other = await running();
      other.peer.close(CLOSE.FORBIDDEN.code);
      await expect(other.run).rejects.toMatchObject({ code: 'FORBIDDEN', next: 'stop' });
    },
  );

  verifies('CLI-30', 'that is refused is an error with what the refusal says', async () => {
    const { peer, agent } = await ready();
    const run = agent.runAgent();
    await joins(peer, 'p0');
    const { frame: request } = await stage.server.frame('run');
    peer.send(
      'refused',
      refusal('RATE_LIMITED', { retryAfterMs: 9, details: { limit: 'RATE_RUNS' } }),
      request.id,
    );
    await expect(run).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterMs: 9,
      status: 429,
      details: { limit: 'RATE_RUNS' },
    });
  });

  verifies('CLI-27', 'that records answers while others are awaited has no events', async () => {
    const { peer, agent } = await ready();
    const run = agent.runAgent({ resume: [{ interruptId: 'i', status: 'resolved', payload: 1 }] });
    await joins(peer, 'p0', [started('q'), messages('x'), state({}), asked('q')]);
    const { frame: request } = await stage.server.frame('run');
    expect(request.data).toMatchObject({ resume: [{ interruptId: 'i', status: 'resolved', payload: 1 }] });
    peer.send('reply', { threadId: 't', batchId: 'b', tasks: [], waiting: 1 }, request.id);
    expect(await run).toMatchObject({ newMessages: [] });
  });

  verifies(
    'CLI-33',
    'is stopped before it was asked for, or cancelled as soon as it is admitted',
    async () => {
      const { peer, agent } = await ready();
      const codes: unknown[] = [];
      const subscriber = {
        onRunErrorEvent: ({ event }: { event: { code?: string } }) => void codes.push(event.code),
      };
      const early = agent.runAgent({}, subscriber);
      await stage.server.frame('subscribe');
      agent.abortRun();
      await early;
      expect(codes).toEqual(['abort']);
      const run = agent.runAgent({ runId: 'r' }, subscriber);
      await joins(peer, 'p0');
      const { frame: request } = await stage.server.frame('run');
      agent.abortRun();
      peer.send('reply', { threadId: 't', runId: 'r' }, request.id);
      const { frame: cancel } = await stage.server.frame('cancel');
      expect(cancel.data).toEqual({ threadId: 't', runId: 'r' });
      peer.send('reply', { state: 'cancelling' }, cancel.id);
      peer.send(
        'agui',
        frame('p0', 'p1', [
          started('r'),
          { type: 'RUN_ERROR', code: 'hub/cancelled', message: 'Cancelled.' },
        ]),
      );
      await run;
      expect(codes).toEqual(['abort', 'hub/cancelled']);
    },
  );
});

describe('a connection to a thread', () => {
  verifies('CLI-32', 'drops old questions first, and those that a snapshot no longer has', async () => {
    const { peer, agent } = await ready();
    agent.pendingInterrupts = [{ id: 'old', reason: 'tool_call' }];
    const connected = agent.connectAgent();
    await joins(peer, 'p1', [started('q'), messages('x'), state({}), asked('q')]);
    const closed = { type: 'RUN_ERROR', code: 'hub/closed-by-operator', message: 'Closed.' };
    peer.send('snapshot', snapshot('p2', 'reset', [started('closing'), messages('x'), state({}), closed]));
    await connected;
    expect(agent.pendingInterrupts).toEqual([]);
    expect(textOf(agent)).toBe('x');
  });

  verifies('CLI-31', 'tells the runs that come while a question is open, over a loss as well', async () => {
    const { client, peer, agent } = await ready();
    const types: string[] = [];
    const connected = agent.connectAgent({}, { onEvent: ({ event }) => void types.push(event.type) });
    await joins(peer, 'p1', [started('q'), messages('x'), state({}), asked('q')]);
    const again = await reconnected(peer, client);
    await joins(again, 'p5', [
      started('q'),
      asked('q'),
      started('r'),
      messages('xy'),
      state({ n: 2 }),
      start,
    ]);
    again.send('agui', frame('p5', 'p6', [content('z'), end, finished('r')]));
    await connected;
    expect(textOf(agent)).toBe('xyz');
    expect(agent.state).toEqual({ n: 2 });
    expect(agent.pendingInterrupts).toEqual([]);
    expect(types.filter((type) => type === 'RUN_FINISHED')).toHaveLength(2);
  });
});

verifies(
  'CLI-33',
  'an agent’s own connection is made when it is used, and left when it is idle',
  async () => {
    const shared = stage.client();
    const agent = new HubAgent({
      url: stage.server.url,
      getToken: () => Promise.resolve('token'),
      WebSocketImpl: (await import('ws')).WebSocket as never,
      clock: stage.clock,
      agentId: 'a',
      threadId: 't',
    });
    expect(agent.client.state.state).toBe('closed');
    const connected = agent.clone().connectAgent();
    const peer = await stage.server.peer();
    peer.ready();
    const { frame: subscribe } = await stage.server.frame('subscribe');
    peer.send('refused', refusal('NOT_FOUND'), subscribe.id);
    await connected;
    expect(agent.client.state.state).toBe('ready');
    stage.clock.advance(IDLE_MS);
    expect(agent.client.state).toEqual({ state: 'closed', reason: 'stopped' });
    agent.close();
    expect(shared.state.state).toBe('closed');
  },
);
