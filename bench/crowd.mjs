/** The readers, in a process of their own: opens sockets, checks that each misses nothing, keeps one reader's frames. */
import { WebSocket } from 'ws';

/** Sockets opened at once: more only queue in the accept backlog. */
const OPEN_AT_ONCE = 50;

const reader = (n, { url, protocols, threadId }) => {
  const socket = new WebSocket(url, protocols, { perMessageDeflate: false });
  const it = { socket, pos: undefined, frames: 0, text: '', faults: [], kept: [] };
  it.joined = new Promise((joined) => (it.onJoined = joined));
  it.done = new Promise((done) => (it.onDone = done));
  socket.on('open', () => {
    if (threadId) socket.send(JSON.stringify({ event: 'subscribe', id: 's', data: { threadId } }));
    else it.onJoined();
  });
  socket.on('close', (code) => {
    if (!it.over) it.faults.push(`closed with ${code}`);
    it.onJoined();
    it.onDone();
  });
  socket.on('error', (error) => it.faults.push(error.message));
  socket.on('message', (bytes) => hear(it, bytes.toString(), n === 0));
  return it;
};

const hear = (it, text, keep) => {
  const { event, data } = JSON.parse(text);
  if (event === 'snapshot') {
    it.pos = data.pos;
    it.onJoined();
  } else if (event === 'agui') {
    it.frames++;
    if (keep) it.kept.push({ at: performance.now(), text });
    take(it, data);
  } else if (event === 'refused') it.faults.push(data.code);
};

const take = (it, { prev, pos, events }) => {
  if (it.pos !== undefined && prev !== it.pos) it.faults.push(`gap before ${pos}`);
  it.pos = pos;
  for (const one of events) {
    if (one.type === 'TEXT_MESSAGE_CONTENT') it.text += one.delta;
    if (one.type === 'RUN_FINISHED') {
      it.over = true;
      it.onDone();
    }
  }
};

let crowd = [];
const join = async ({ sockets, ...where }) => {
  crowd = [];
  while (crowd.length < sockets) {
    const some = Array.from({ length: Math.min(OPEN_AT_ONCE, sockets - crowd.length) }, (_, n) =>
      reader(crowd.length + n, where),
    );
    crowd.push(...some);
    await Promise.all(some.map((one) => one.joined));
  }
};

const report = async () => {
  await Promise.all(crowd.map((one) => one.done));
  const faults = crowd.flatMap((one) => one.faults);
  const texts = [...new Set(crowd.map((one) => one.text))];
  for (const { socket } of crowd) socket.close();
  const frames = crowd.reduce((sum, one) => sum + one.frames, 0);
  return { frames, faults: faults.slice(0, 5), texts, kept: crowd[0].kept };
};

const does = {
  join: async (where) => {
    await join(where);
    return { faults: crowd.flatMap((one) => one.faults).slice(0, 5) };
  },
  send: async ({ frame }) => crowd[0].socket.send(JSON.stringify(frame)),
  report,
};
const reply = async ({ id, what, with: argument }) => {
  process.send({ id, answer: await does[what](argument) });
};
process.on('message', (question) => void reply(question));
process.once('disconnect', () => process.exit(0));
