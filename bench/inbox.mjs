/** How soon an inbox of 50,000 open tasks answers, and how soon its readers know of a change. */
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { WebSocket } from 'ws';
import { askQuestions, GROUPS, POLICY, REDACTED, TOOLS } from './kit/questions.mjs';
import { scaled, settings } from './kit/settings.mjs';
import { call, openStage } from './kit/stage.mjs';
import { atMost } from './kit/table.mjs';
import { median } from './kit/turns.mjs';

const TASKS = scaled(50_000);
const READERS = scaled(200);
const CHANGES = 20;
const GOAL_MS = 150;
const LIVE_MS = 1_000;

const reviewer = { sub: 'bench-reviewer', roles: ['reviewer'], groups: [GROUPS[3]] };
const operator = { sub: 'bench-operator', roles: ['operator'] };

const tokenOf = async (hub, person) =>
  (await call(`${hub.url}/v1/dev/token`, { body: { ...person, ttlSeconds: 3_600 } })).token;

const percentile = (values, part) => values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1];

const asked = async (hub, token, query) => {
  const began = performance.now();
  const answer = await fetch(`${hub.url}/v1/approvals?${new URLSearchParams(query)}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const page = await answer.json();
  if (!answer.ok) throw new Error(`${JSON.stringify(query)}: ${JSON.stringify(page)}`);
  return { ms: performance.now() - began, page };
};

const FILTERS = [
  {},
  { group: GROUPS[3] },
  { tool: TOOLS[13] },
  { reason: `ask:${GROUPS[3]}` },
  { state: 'pending', sort: 'due' },
  { tool: TOOLS[3], sort: 'priority' },
  { sort: 'expires' },
  { assignee: 'nobody' },
  { threadId: 'question-13' },
];
const SEARCHES = [{ q: 'customer 13' }, { q: 'invoice', sort: 'priority' }, { q: 'in none of them' }];

const expectPages = async (hub, tokens) => {
  const mine = await asked(hub, tokens.reviewer, { q: 'only-operators' });
  const all = await asked(hub, tokens.operator, { q: 'only-operators', limit: '1' });
  if (mine.page.items.length > 0 || mine.page.nextCursor) throw new Error(`a ${REDACTED} was found`);
  if (all.page.items.length !== 1) throw new Error('an operator finds nothing');
  const counts = [mine, all].map(({ page }) => page.counts.pending);
  if (counts[0] !== TASKS / GROUPS.length || counts[1] !== TASKS)
    throw new Error(`counted ${counts.join(' and ')} of ${TASKS}`);
};

const pagesAt = async (hub, tokens, queries) => {
  const took = [];
  for (let round = 0; round < 4 * settings.rounds; round += 1)
    for (const query of queries)
      for (const token of Object.values(tokens)) took.push((await asked(hub, token, query)).ms);
  return took;
};

/** A socket that reads the inbox; `heard` gives when it was told of a task. */
const openReader = async (hub, token, n) => {
  const socket = new WebSocket(`${hub.url.replace('http', 'ws')}/ws/reviewer`, [
    'triptych.v1+json',
    `bearer.${token}`,
  ]);
  const told = new Map();
  const waiting = new Map();
  socket.on('message', (bytes) => {
    const { event, id, data } = JSON.parse(bytes);
    const name = event === 'reply' ? id : event === 'task' ? data.taskId : event;
    told.set(name, performance.now());
    waiting.get(name)?.();
  });
  await once(socket, 'open');
  const heard = async (name) => {
    if (!told.has(name)) await new Promise((resolve) => waiting.set(name, resolve));
    return told.get(name);
  };
  socket.send(JSON.stringify({ event: 'inbox.subscribe', id: `q${n}`, data: {} }));
  await heard(`q${n}`);
  return { heard, forget: () => told.clear(), close: () => socket.close() };
};

/** From the claim's request to its `task` frame with every reader, and to the last one's counts. */
const changesTold = async (hub, tokens) => {
  const readers = [];
  for (let n = 0; n < READERS; n += 1) readers.push(await openReader(hub, tokens.reviewer, n));
  const { page } = await asked(hub, tokens.reviewer, { limit: String(CHANGES), sort: 'due' });
  const [tasks, counts] = [[], []];
  for (const { taskId } of page.items) {
    for (const reader of readers) reader.forget();
    const began = performance.now();
    await call(`${hub.url}/v1/approvals/${taskId}/claim`, { token: tokens.reviewer, body: {} });
    for (const reader of readers) tasks.push((await reader.heard(taskId)) - began);
    for (const reader of readers) counts.push((await reader.heard('counts')) - began);
  }
  for (const reader of readers) reader.close();
  return { tasks, counts };
};

const measured = async ({ hubs: [hub], redis: store }) => {
  const redis = new Redis(store.url);
  await askQuestions(redis, TASKS);
  redis.disconnect();
  const tokens = { reviewer: await tokenOf(hub, reviewer), operator: await tokenOf(hub, operator) };
  const { ms: cold } = await asked(hub, tokens.reviewer, {});
  await expectPages(hub, tokens);
  const pages = await pagesAt(hub, tokens, FILTERS);
  const searches = await pagesAt(hub, tokens, SEARCHES);
  const { tasks, counts } = await changesTold(hub, tokens);
  const open = `${TASKS.toLocaleString('en')} open tasks`;
  return [
    {
      what: `First page of ${open}, filtered and sorted: 95th percentile`,
      ...atMost(GOAL_MS, percentile(pages, 0.95), 'ms'),
      more: `median ${median(pages).toFixed(1)} ms; the first one after a start, which reads them all, ${(cold / 1_000).toFixed(1)} s; counts exact`,
    },
    {
      what: `The same with a search: 95th percentile`,
      ...atMost(GOAL_MS, percentile(searches, 0.95), 'ms'),
      more: `median ${median(searches).toFixed(1)} ms`,
    },
    {
      what: `From a claim to its \`task\` frame with ${READERS} readers: 99th percentile`,
      ...atMost(LIVE_MS, percentile(tasks, 0.99), 'ms'),
      more: `median ${median(tasks).toFixed(0)} ms; their \`counts\` frames, sent once a burst, within ${Math.max(...counts).toFixed(0)} ms`,
    },
  ];
};

export const bench = async () => {
  // No agent is asked anything here.
  const stage = await openStage({ agentUrl: 'http://127.0.0.1:1', policy: POLICY });
  try {
    return await measured(stage);
  } finally {
    await stage.stop();
  }
};
