/** Proves on the whole product that an agent over a resumable socket is the stock agent over HTTP, whatever the network does. */
import { buildResumeArray, HttpAgent, type AbstractAgent, type BaseEvent } from '@ag-ui/client';
import { HubClient, type SocketConstructor } from '@triptych/client';
import { HubAgent, type HubAgentConfig, type HubRefused } from '@triptych/client/agent';
import type { TaskView } from '@triptych/protocol';
import { AMELIA, Product, TOVE, type Person } from '@triptych/testkit';
import { WebSocket } from 'ws';
import { startTcpProxy, type TcpProxy } from '../redis/tcp-proxy.js';
import { verifies } from '../spec/verifies.js';

const JOURNEY_MS = 120_000;
const SCENARIOS = ['onboarding', 'refund', 'trip-planner', 'cards', 'slow-typist', 'fails', 'cut-off'];
/** Human pace would take a minute a run; at this one a run still takes long enough to be cut in the middle. */
const PACE = { SPEED: '0.1' };

let product: Product;
let proxy: TcpProxy;
const agents: HubAgent[] = [];
beforeAll(async () => {
  product = await Product.start(PACE);
  proxy = await startTcpProxy(product.url);
}, JOURNEY_MS);
afterEach(() => {
  for (const agent of agents.splice(0)) agent.close();
});
afterAll(async () => {
  await proxy.stop();
  await product.stop();
}, JOURNEY_MS);

const WebSocketImpl = WebSocket as unknown as SocketConstructor;
const tokenOf = (person: Person) => (): Promise<string> => product.token(person);
const throughProxy = (): string => proxy.url.replace('redis', 'http');

const hubAgent = (agentId: string, threadId: string, more: Partial<HubAgentConfig> = {}): HubAgent => {
  const agent = new HubAgent({
    url: product.url,
    getToken: tokenOf(AMELIA),
    WebSocketImpl,
    agentId,
    threadId,
    ...more,
  } as HubAgentConfig);
  agents.push(agent);
  return agent;
};

const httpAgent = async (agentId: string, threadId: string): Promise<HttpAgent> =>
  new HttpAgent({
    url: `${product.url}/v1/agents/${agentId}/run`,
    headers: { authorization: `Bearer ${await product.token(AMELIA)}` },
    threadId,
  });

const say = (agent: AbstractAgent, content = 'an account with 2 million, please'): void =>
  agent.addMessage({ id: `${agent.threadId}-m`, role: 'user', content });

/** Runs it and gives the types of the events, repeats of one type told once. */
const run = async (agent: AbstractAgent, seen: (event: BaseEvent) => void = () => undefined) => {
  const types: string[] = [];
  const onEvent = ({ event }: { event: BaseEvent }): void => {
    if (types.at(-1) !== event.type) types.push(event.type);
    seen(event);
  };
  await agent.runAgent({ runId: `${agent.threadId}-r` }, { onEvent });
  return types;
};

const standing = ({ messages, state, pendingInterrupts }: AbstractAgent) =>
  structuredClone({ messages, state: state as unknown, pendingInterrupts });

/** The same request over HTTP attaches to the same run and is told it from its beginning. */
const overHttp = async (agentId: string, threadId: string) => {
  const agent = await httpAgent(agentId, threadId);
  say(agent);
  return { types: await run(agent), ...standing(agent) };
};

const taskOf = async (threadId: string): Promise<{ task: TaskView; decide: () => Promise<unknown> }> => {
  const reviewer = await product.screen('reviewer', TOVE);
  const { items } = await reviewer.ask<{ items: TaskView[] }>('inbox.subscribe', {});
  const here = items.find((task) => task.threadId === threadId);
  const task =
    here ?? ((await reviewer.next('task', (data) => data.threadId === threadId)).data as unknown as TaskView);
  const decide = async (): Promise<void> => {
    const { taskId, rev, proposalHash } = task;
    await reviewer.ask('task.decide', { taskId, rev, proposalHash, verb: 'approve' });
    await reviewer.close();
  };
  return { task, decide };
};

describe('an agent over the socket', () => {
  for (const scenario of SCENARIOS)
    verifies(
      'CLI-27',
      `comes to what the stock agent comes to over HTTP: ${scenario}`,
      async () => {
        const threadId = `hub-agent-${scenario}`;
        // On a thread that is there the socket follows before the run begins, and misses nothing of it.
        const body = { threadId, agentId: scenario };
        await product.json('/v1/threads', { token: await product.token(AMELIA), body });
        const agent = hubAgent(scenario, threadId);
        say(agent);
        const types = await run(agent);
        expect({ types, ...standing(agent) }).toEqual(await overHttp(scenario, threadId));
      },
      JOURNEY_MS,
    );

  for (const scenario of SCENARIOS)
    verifies(
      'CLI-29',
      `loses and doubles nothing when its connection is cut again and again: ${scenario}`,
      async () => {
        const threadId = `hub-agent-cut-${scenario}`;
        const agent = hubAgent(scenario, threadId, { url: throughProxy() });
        say(agent);
        let events = 0;
        let cuts = 0;
        await run(agent, () => {
          events += 1;
          if (events % 7 !== 1 || cuts > 8) return;
          cuts += 1;
          proxy.cut();
        });
        expect(cuts).toBeGreaterThan(0);
        const { types: _types, ...stock } = await overHttp(scenario, threadId);
        expect(standing(agent)).toEqual(stock);
      },
      JOURNEY_MS,
    );

  verifies(
    'CLI-29',
    'goes on when its connection is cut before the hub has answered',
    async () => {
      const agent = hubAgent('slow-typist', 'hub-agent-early', { url: throughProxy() });
      say(agent);
      let cut = false;
      proxy.onRequest((bytes) => {
        if (cut || bytes.length < 200) return;
        cut = true;
        proxy.cut();
      });
      await run(agent);
      proxy.onRequest(() => undefined);
      expect(cut).toBe(true);
      const { types: _types, ...stock } = await overHttp('slow-typist', 'hub-agent-early');
      expect(standing(agent)).toEqual(stock);
    },
    JOURNEY_MS,
  );

  verifies(
    'CLI-31',
    'that is loaded anew in the middle of a run ends as one that was there',
    async () => {
      for (const point of [1, 9, 25, 45]) {
        const threadId = `hub-agent-reload-${point}`;
        const there = hubAgent('onboarding', threadId);
        there.addMessage({ id: `${threadId}-m`, role: 'user', content: 'an account with 900000, please' });
        const fresh = hubAgent('onboarding', threadId);
        let events = 0;
        let connected: Promise<unknown> = Promise.resolve();
        await run(there, () => {
          events += 1;
          if (events === point) connected = fresh.connectAgent();
        });
        expect(events).toBeGreaterThan(point);
        await connected;
        expect(standing(fresh)).toEqual(standing(there));
      }
    },
    JOURNEY_MS,
  );

  verifies(
    'CLI-31',
    'connects to an ended thread, and to nothing, and completes',
    async () => {
      const before = hubAgent('cards', 'hub-agent-ended');
      say(before);
      await run(before);
      const after = hubAgent('cards', 'hub-agent-ended');
      await after.connectAgent();
      expect(standing(after)).toEqual(standing(before));
      const nothing = hubAgent('cards', 'hub-agent-never');
      await nothing.connectAgent();
      expect(standing(nothing)).toEqual({ messages: [], state: {}, pendingInterrupts: [] });
    },
    JOURNEY_MS,
  );

  verifies(
    'CLI-32',
    'waits for a reviewer: refused meanwhile, connected, and cleared when the resumed run ends',
    async () => {
      const threadId = 'hub-agent-review';
      const agent = hubAgent('onboarding', threadId);
      say(agent);
      await run(agent);
      expect(agent.pendingInterrupts.map(({ reason }) => reason)).toEqual(['hub:under_review']);
      const refused = await agent.runAgent({ runId: 'too-early' }).catch((error: HubRefused) => error);
      expect(refused).toMatchObject({
        name: 'HubRefused',
        code: 'RESUME_REQUIRED',
        next: 'fix',
        status: 409,
      });
      expect((refused as HubRefused).details).toHaveProperty('open');
      const fresh = hubAgent('onboarding', threadId, { url: throughProxy() });
      const waiting = fresh.connectAgent();
      const again = agent.connectAgent();
      const { decide } = await taskOf(threadId);
      proxy.cut();
      await decide();
      await Promise.all([waiting, again]);
      expect(fresh.pendingInterrupts).toEqual([]);
      expect(standing(agent)).toEqual(standing(fresh));
      expect(JSON.stringify(agent.messages)).toContain('open');
    },
    JOURNEY_MS,
  );

  verifies(
    'CLI-32',
    'answers the questions that are its owner’s by resume',
    async () => {
      const agent = hubAgent('trip-planner', 'hub-agent-resume', { url: throughProxy() });
      say(agent, 'a weekend away');
      await run(agent);
      expect(agent.pendingInterrupts.map(({ reason }) => reason)).toEqual(['input_required']);
      const answers = Object.fromEntries(
        agent.pendingInterrupts.map(({ id }) => [
          id,
          {
            status: 'resolved' as const,
            payload: { city: 'Lisbon', month: 'May', budget: 900 },
          },
        ]),
      );
      const resume = buildResumeArray(agent.pendingInterrupts, answers);
      const types: string[] = [];
      let cut = false;
      await agent.runAgent(
        { runId: 'hub-agent-resume-2', resume },
        {
          onEvent: ({ event }) => {
            types.push(event.type);
            if (!cut && types.length === 3) proxy.cut();
            cut ||= types.length === 3;
          },
        },
      );
      expect(types[0]).toBe('RUN_STARTED');
      expect(types.at(-1)).toBe('RUN_FINISHED');
      const { messages } = standing(agent);
      const fresh = hubAgent('trip-planner', 'hub-agent-resume');
      const stop = fresh.connectAgent();
      if (agent.pendingInterrupts.length > 0) await (await taskOf('hub-agent-resume')).decide();
      await stop;
      expect(fresh.messages.slice(0, messages.length).map(({ id }) => id)).toEqual(
        messages.map(({ id }) => id),
      );
    },
    JOURNEY_MS,
  );

  verifies(
    'CLI-33',
    'stops a run at the hub, and its stream ends as the run does',
    async () => {
      const agent = hubAgent('slow-typist', 'hub-agent-stop');
      say(agent);
      let events = 0;
      const codes: unknown[] = [];
      await agent.runAgent(
        { runId: 'hub-agent-stop-r' },
        {
          onEvent: () => {
            events += 1;
            if (events === 4) agent.abortRun();
          },
          onRunErrorEvent: ({ event }) => void codes.push(event.code),
        },
      );
      expect(codes).toEqual(['hub/cancelled']);
      const token = await product.token(AMELIA);
      const path = '/v1/threads/hub-agent-stop/runs/hub-agent-stop-r';
      expect(await product.json(path, { token })).toMatchObject({ status: 'cancelled' });
    },
    JOURNEY_MS,
  );

  verifies(
    'CLI-30',
    'is refused by errors that say what to do',
    async () => {
      const nobody = hubAgent('nobody', 'hub-agent-refused');
      say(nobody);
      await expect(nobody.runAgent()).rejects.toMatchObject({ code: 'NOT_FOUND', next: 'stop', status: 404 });
      const hidden = hubAgent('onboarding', 'hub-agent-props');
      say(hidden);
      await expect(hidden.runAgent({ forwardedProps: { command: 1 } })).rejects.toMatchObject({
        code: 'FORBIDDEN',
      });
    },
    JOURNEY_MS,
  );

  verifies(
    'CLI-33',
    'shares one socket with others, and its clones go on where it stands',
    async () => {
      const client = new HubClient({
        url: product.url,
        surface: 'customer',
        getToken: tokenOf(AMELIA),
        WebSocketImpl,
      });
      const unstarted = new HubAgent({ client, agentId: 'cards', threadId: 'hub-agent-shared-0' });
      await expect(unstarted.runAgent()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      client.start();
      const sessions = new Set<string>();
      client.onState((state) => {
        if (state.state === 'ready') sessions.add(state.session.session);
      });
      const shared = ['cards', 'refund', 'slow-typist'].map(
        (agentId) => new HubAgent({ client, agentId, threadId: `hub-agent-shared-${agentId}` }),
      );
      for (const agent of shared) say(agent);
      await Promise.all(shared.map((agent) => run(agent)));
      for (const agent of shared) {
        const { types: _types, ...stock } = await overHttp(agent.agentId ?? '', agent.threadId);
        expect(standing(agent)).toEqual(stock);
      }
      const [cards] = shared;
      const clone = cards?.clone();
      expect(clone).toBeInstanceOf(HubAgent);
      expect(clone && standing(clone)).toEqual(cards && standing(cards));
      clone?.addMessage({ id: 'clone-m', role: 'user', content: 'once more' });
      await clone?.runAgent();
      expect(clone?.messages.length).toBeGreaterThan(cards?.messages.length ?? 0);
      expect(sessions.size).toBe(1);
      client.stop();
    },
    JOURNEY_MS,
  );
});
