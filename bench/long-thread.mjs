/** What joining a thread of 10,000 events costs: begun at a snapshot, and folded from the first event. */
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Redis } from 'ioredis';
import { WebSocket } from 'ws';
import { settings } from './kit/settings.mjs';
import { openStage, tokenFor } from './kit/stage.mjs';
import { inTurns } from './kit/turns.mjs';

const EVENTS = 10_000;
const RUNS = 50;
/** A run's events beside the pieces of its text. */
const AROUND = 9;
const PIECES = EVENTS / RUNS - AROUND;
/** About what a model says at once. */
const TOKENS = ['the ', 'quick ', 'brown ', 'fox ', 'jumps ', 'over '];

const textOf = (n) => TOKENS[n % TOKENS.length];
const SAID = Array.from({ length: PIECES }, (_, n) => textOf(n)).join('');

const eventsOf = ({ threadId, runId }) => [
  { type: 'RUN_STARTED', threadId, runId },
  { type: 'TOOL_CALL_START', toolCallId: `c-${runId}`, toolCallName: 'look' },
  { type: 'TOOL_CALL_ARGS', toolCallId: `c-${runId}`, delta: '{"page":' },
  { type: 'TOOL_CALL_ARGS', toolCallId: `c-${runId}`, delta: '1}' },
  { type: 'TOOL_CALL_END', toolCallId: `c-${runId}` },
  { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/last', value: runId }] },
  { type: 'TEXT_MESSAGE_START', messageId: `m-${runId}`, role: 'assistant' },
  ...Array.from({ length: PIECES }, (_, n) => ({
    type: 'TEXT_MESSAGE_CONTENT',
    messageId: `m-${runId}`,
    delta: textOf(n),
  })),
  { type: 'TEXT_MESSAGE_END', messageId: `m-${runId}` },
  { type: 'RUN_FINISHED', threadId, runId },
];

const answer = async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const input = JSON.parse(Buffer.concat(parts).toString());
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const texts = eventsOf(input).map((event) => `data: ${JSON.stringify(event)}\n\n`);
  response.end(texts.join(''));
};

const startAgent = async () => {
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.destroy(error));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: `http://127.0.0.1:${server.address().port}/`, stop: () => server.close() };
};

/** A thread of its full length; each run is awaited to its end. */
const tellThread = async (hub, token) => {
  const threadId = randomUUID();
  for (let n = 0; n < RUNS; n += 1) {
    const messages = [{ id: randomUUID(), role: 'user', content: 'go on' }];
    const body = { threadId, runId: `${threadId}-${n}`, messages, tools: [], context: [] };
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const asked = { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetch(`${hub.url}/v1/agents/bench/run`, asked);
    if (!answer.ok) throw new Error(`a run was refused: ${answer.status} ${await answer.text()}`);
    await answer.text();
  }
  return threadId;
};

const keyOf = (threadId, part) => {
  const tag = createHash('sha256').update(threadId).digest('base64url').slice(0, 22);
  return `tt:{${tag}}:${part}`;
};

/** Bytes of all the events, as a replay would have to send them. */
const bytesOfLog = async (redis, threadId) => {
  const rows = await redis.xrange(keyOf(threadId, 'log'), '-', '+');
  const texts = rows.flatMap(([, fields]) =>
    fields.filter((_, n) => n % 2 === 1 && ['a', 'h'].includes(fields[n - 1])),
  );
  if (texts.length !== EVENTS) throw new Error(`the thread has ${texts.length} events`);
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
};

const mustBeWhole = (events) => {
  const { messages } = events.find(({ type }) => type === 'MESSAGES_SNAPSHOT');
  const said = messages.filter(({ role, content }) => role === 'assistant' && content);
  if (said.length !== RUNS || said.some(({ content }) => content !== SAID))
    throw new Error(`a join showed ${said.length} of ${RUNS} messages whole`);
};

/** Subscribes and waits for the whole view; on this hub nobody reads the thread. */
const join = async (hub, token, threadId) => {
  const protocols = ['triptych.v1+json', `bearer.${token}`];
  const socket = new WebSocket(`${hub.url.replace('http', 'ws')}/ws/operator`, protocols);
  const snapshot = new Promise((done) =>
    socket.on('message', (bytes) => {
      const { event, data } = JSON.parse(bytes.toString());
      if (event === 'snapshot') done({ data, bytes: bytes.length, at: performance.now() });
    }),
  );
  await once(socket, 'open');
  const began = performance.now();
  socket.send(JSON.stringify({ event: 'subscribe', id: '1', data: { threadId } }));
  const { data, bytes, at } = await snapshot;
  socket.close();
  mustBeWhole(data.events);
  return { ms: at - began, bytes };
};

const contendersOn = ({ carrier, reading, redis, tokens }, found) => {
  const fresh = async () => {
    const threadId = await tellThread(carrier, tokens.customer);
    found.log = await bytesOfLog(redis, threadId);
    return threadId;
  };
  return {
    snapshot: async () => {
      const { ms, bytes } = await join(reading, tokens.operator, await fresh());
      found.prelude = bytes;
      return ms;
    },
    'first event': async () => {
      const threadId = await fresh();
      await redis.del(keyOf(threadId, 'snapshots'));
      return (await join(reading, tokens.operator, threadId)).ms;
    },
  };
};

const kib = (bytes) => `${(bytes / 1024).toFixed(0)} KiB`;

const rowsOf = (result, { log, prelude }) => {
  const ms = result.of('snapshot');
  const times = result.ratio('first event', 'snapshot').toFixed(1);
  return [
    {
      what: 'Joining a thread of 10,000 events, until all is received',
      figure: `${ms.toFixed(0)} ms`,
      goal: '≤ 150 ms',
      met: ms <= 150,
      more: `all three surfaces; from its first event ${result.of('first event').toFixed(0)} ms, ${times} times as long`,
    },
    {
      what: 'Bytes of its events / bytes of the join',
      figure: (log / prelude).toFixed(1),
      goal: '≥ 10',
      met: log / prelude >= 10,
      more: `${kib(log)} in pieces of ${(SAID.length / PIECES).toFixed(1)} characters, ${kib(prelude)}`,
    },
  ];
};

export const bench = async () => {
  const agent = await startAgent();
  const stage = await openStage({ agentUrl: agent.url, hubs: 2 });
  const redis = new Redis(stage.redis.url);
  const [carrier, reading] = stage.hubs;
  try {
    const tokens = {
      customer: await tokenFor(carrier, 'customer'),
      operator: await tokenFor(carrier, 'operator'),
    };
    const found = {};
    const contenders = contendersOn({ carrier, reading, redis, tokens }, found);
    return rowsOf(await inTurns(settings.rounds, contenders), found);
  } finally {
    redis.disconnect();
    agent.stop();
    await stage.stop();
  }
};
