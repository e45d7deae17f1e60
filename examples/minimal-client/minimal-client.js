/** A customer's chat on a Triptych hub in plain browser JavaScript: one socket, one thread, never a gap, nothing twice. */
const HUB = new URLSearchParams(location.search).get('hub') ?? 'http://127.0.0.1:4000';
const [FIRST_WAIT_MS, LONGEST_WAIT_MS, STEADY_MS] = [500, 20_000, 5_000];
/** Closed like this there is no point in coming again: a frame too big, misuse, a withdrawn role. */
const FOR_GOOD = [1009, 4400, 4403];

const at = (id) => document.getElementById(id);
const note = (text) => (at('note').textContent = text);
const nothing = () => ({ messages: new Map(), steps: new Map(), run: 'idle', open: [] });
let threadId = location.hash.slice(1);
/** The thread as it stands at `pos`: the two always move together. */
let [model, pos] = [nothing(), undefined];
let socket, token, watch, asking, readyAt, retryAfterMs;
let [failures, heartbeatMs] = [0, 30_000];
/** Requests without an answer, by id. Those with `again` are sent once more over the next socket: the hub knows their ids. */
const waiting = new Map();

// In production the token comes from your identity provider; only a hub in dev mode has this door.
const renewToken = async () => {
  const body = JSON.stringify({ sub: 'amelia', roles: ['customer'], name: 'Amelia Hartmann' });
  const asked = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  ({ token } = await (await fetch(`${HUB}/v1/dev/token`, asked)).json());
};

const send = (frame) => socket?.readyState === WebSocket.OPEN && socket.send(JSON.stringify(frame));

const ask = (event, data, { again = false, id = crypto.randomUUID() } = {}) =>
  new Promise((answered) => {
    waiting.set(id, { frame: { event, id, data }, again, answered });
    send({ event, id, data });
  });

const connect = async () => {
  try {
    await renewToken();
    const door = `${HUB.replace(/^http/, 'ws')}/ws/customer`;
    const mine = new WebSocket(door, ['triptych.v1+json', `bearer.${token}`]);
    mine.onmessage = ({ data }) => socket === mine && hear(JSON.parse(data));
    mine.onclose = ({ code }) => socket === mine && lost(code);
    socket = mine;
  } catch {
    lost();
  }
};

const lost = (code) => {
  clearTimeout(watch);
  socket = asking = undefined;
  for (const [id, { again }] of waiting) if (!again) settle(id, {});
  if (FOR_GOOD.includes(code)) return note(`The hub has closed this connection (${code}).`);
  // A hub that takes connections and drops them is not asked at full speed.
  failures = Date.now() - readyAt > STEADY_MS ? 1 : failures + 1;
  // Full jitter: a crowd that was cut off together does not come back together.
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1));
  setTimeout(connect, (retryAfterMs ?? 0) + Math.random() * longest);
  [readyAt, retryAfterMs] = [undefined, undefined];
  note('Connecting again…');
};

/** A browser shows no pings of the protocol: what is silent for two heartbeats is dead, whatever it says of itself. */
const expectSomething = () => {
  clearTimeout(watch);
  watch = setTimeout(() => {
    send({ event: 'ping' });
    watch = setTimeout(() => [socket.close(), lost()], heartbeatMs);
  }, heartbeatMs);
};

const HEAR = {
  ready: (_id, data) => {
    [readyAt, heartbeatMs] = [Date.now(), data.heartbeatMs];
    for (const { frame } of waiting.values()) send(frame);
    // A run subscribes when it is answered; of two subscribes only the first brings a snapshot.
    if (![...waiting.values()].some(({ frame }) => frame.event === 'run')) subscribe();
    listThreads().then(() => note(''));
  },
  reply: (id, data) => settle(id, { ok: data }),
  refused: (id, data) => settle(id, { refused: data }),
  closing: (_id, data) => ({ retryAfterMs } = data),
  'auth.expiring': () => renewToken().then(() => ask('auth', { token }), console.warn),
  thread: () => listThreads(),
};
const hear = ({ event, id, data }) => {
  if (Object.hasOwn(HEAR, event)) HEAR[event](id, data);
  else if (data?.threadId === threadId && asking === undefined) follow(event, data);
  expectSomething();
};

const settle = (id, answer) => {
  waiting.get(id)?.answered(answer);
  waiting.delete(id);
  // Frames count again from the reply on, in the same breath: what follows it may be here already.
  if (id === asking) asking = undefined;
};

/** From where we stand if we stand anywhere, else from a snapshot. Until the reply frames mean nothing. */
const subscribe = () => {
  if (threadId === '' || socket?.readyState !== WebSocket.OPEN) return;
  asking = crypto.randomUUID();
  const data = pos === undefined ? { threadId } : { threadId, from: pos };
  void ask('subscribe', data, { id: asking }).then(({ refused }) => {
    if (refused?.next === 'retry')
      setTimeout(subscribe, (refused.retryAfterMs ?? 0) + Math.random() * LONGEST_WAIT_MS);
    else if (refused && refused.code !== 'NOT_FOUND') note(refused.message);
  });
};

const follow = (event, data) => {
  if (event === 'unsubscribed') return note(`This conversation may no longer be read (${data.code}).`);
  if (event === 'head') return data.pos === pos || subscribe();
  if (event === 'agui' && data.prev !== pos) return subscribe();
  if (event === 'snapshot') model = nothing();
  data.events.forEach(apply);
  ({ pos } = data);
  show();
};

const textOf = (content) =>
  Array.isArray(content) ? content.map((part) => part.text ?? `[${part.type}]`).join('') : (content ?? '');
const put = ({ id, role, content }) =>
  /^(user|assistant)$/.test(role) && model.messages.set(id, { role, text: textOf(content) });

/** What this page shows of a thread; every other event passes by. */
const APPLY = {
  RUN_STARTED: ({ input }) => {
    // A run that answers open questions goes on with the steps of the one that asked.
    if (model.open.length === 0) model.steps.clear();
    model.run = 'running';
    input?.messages.filter(({ id }) => !model.messages.has(id)).forEach(put);
  },
  TEXT_MESSAGE_START: ({ messageId: id, role = 'assistant' }) => model.messages.has(id) || put({ id, role }),
  TEXT_MESSAGE_CONTENT: ({ messageId, delta }) => {
    const message = model.messages.get(messageId);
    if (message) message.text += delta;
  },
  MESSAGES_SNAPSHOT: ({ messages }) => {
    model.messages.clear();
    messages.forEach(put);
  },
  STEP_STARTED: ({ stepName }) => model.steps.set(stepName, 'under way'),
  STEP_FINISHED: ({ stepName }) => model.steps.set(stepName, 'done'),
  RUN_FINISHED: ({ outcome }) => {
    model.open = outcome?.interrupts ?? [];
    model.run = model.open.length > 0 ? 'waiting' : 'idle';
  },
  RUN_ERROR: ({ message }) => ([model.run, model.problem] = ['failed', message]),
};
const apply = (event) => Object.hasOwn(APPLY, event.type) && APPLY[event.type](event);

const make = (tag, more) => Object.assign(document.createElement(tag), more);
const item = (textContent, className) => make('li', { textContent, className });
const waitsFor = () => {
  const [{ reason, message, metadata } = {}] = model.open;
  if (reason !== 'hub:under_review') return message;
  return `With a colleague: ${metadata?.hub?.text ?? 'this is being checked.'}`;
};
const STANDING = { running: () => 'Working…', waiting: waitsFor, failed: () => model.problem };

const show = () => {
  const said = [...model.messages.values()].filter(({ text }) => text !== '');
  const steps = [...model.steps].map(([name, standing]) => item(`${name}: ${standing}`, standing));
  at('messages').replaceChildren(...said.map(({ role, text }) => item(text, role)));
  at('steps').replaceChildren(...steps);
  at('standing').textContent = STANDING[model.run]?.() ?? '';
  at('standing').dataset.run = model.run;
};

const listThreads = async () => {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${HUB}/v1/threads?limit=20`, { headers }).catch(() => undefined);
  if (!answer?.ok) return;
  const { items } = await answer.json();
  const link = ({ threadId: id, status }) =>
    make('a', { textContent: `${id.slice(0, 8)} · ${status}`, href: `#${id}` });
  at('threads').replaceChildren(make('a', { textContent: 'New', href: '#' }), ...items.map(link));
};

at('say').onsubmit = async (submitted) => {
  submitted.preventDefault();
  const content = at('words').value.trim();
  if (content === '') return;
  at('say').reset();
  if (threadId === '') location.hash = threadId = crypto.randomUUID();
  const messages = [{ id: crypto.randomUUID(), role: 'user', content }];
  const request = { agentId: 'onboarding', threadId, runId: crypto.randomUUID(), messages };
  const { refused } = await ask('run', request, { again: true });
  if (refused) return note(`${refused.code}: ${refused.message}`);
  if (pos === undefined) subscribe();
};

onhashchange = () => {
  if (location.hash.slice(1) === threadId) return;
  if (threadId !== '') void ask('unsubscribe', { threadId });
  threadId = location.hash.slice(1);
  [model, pos, asking] = [nothing(), undefined, undefined];
  show();
  subscribe();
};
void connect();
