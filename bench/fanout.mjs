/** One thread, many readers: processor time of the hub per delivery, as a ratio to a bare broadcast of the same frames. */
import { startAgent, wholeText } from './agent.mjs';
import { forkAsked } from './asked.mjs';
import { cpuMs } from './cpu.mjs';
import { call, startHub } from './hub.mjs';
import { settings } from './settings.mjs';

const { sockets, rounds, surface } = settings;
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const perDelivery = ({ cpu, frames }) => (cpu * 1_000) / frames;

const fail = (what, { faults, texts }) => {
  const wrong = texts.some((text) => text !== wholeText) ? ['a reader ended with another text'] : [];
  const all = [...faults, ...wrong];
  if (all.length > 0) throw new Error(`${what}: ${all.join('; ')}`);
};

/** Measures what `work` costs the process; the readers judge whether it was done right. */
const measure = async ({ name, pid, crowd, work }) => {
  const before = cpuMs(pid);
  await work();
  const report = await crowd.ask('report');
  const cpu = cpuMs(pid) - before;
  fail(name, report);
  return { ...report, cpu };
};

const hubRound = async ({ hub, crowd, token, round }) => {
  const threadId = `bench-${round}-${Date.now()}`;
  await call(`${hub.url}/v1/threads`, { token, body: { threadId, agentId: 'bench' } });
  const url = `${hub.url.replace('http', 'ws')}/ws/${surface}`;
  const protocols = ['triptych.v1+json', `bearer.${token}`];
  const joined = await crowd.ask('join', { sockets, url, protocols, threadId });
  if (joined.faults.length > 0) throw new Error(`joining: ${joined.faults.join('; ')}`);
  const data = { agentId: 'bench', threadId, messages: [{ id: `u-${round}`, role: 'user', content: 'Go.' }] };
  const work = () => crowd.ask('send', { frame: { event: 'run', id: 'r', data } });
  return measure({ name: 'hub', pid: hub.pid, crowd, work });
};

const plainRound = async ({ plain, crowd, frames }) => {
  const url = `ws://127.0.0.1:${await plain.ready}`;
  await crowd.ask('join', { sockets, url, protocols: [] });
  return measure({ name: 'plain ws', pid: plain.pid, crowd, work: () => plain.ask('broadcast', frames) });
};

const show = (round, hub, plain) => {
  const [a, b] = [perDelivery(hub), perDelivery(plain)];
  const cells = [`hub ${a.toFixed(2)} µs`, `plain ws ${b.toFixed(2)} µs`, `ratio ${(a / b).toFixed(2)}`];
  console.log(`round ${round}: ${hub.frames} deliveries, ${cells.join(', ')} a delivery`);
  return a / b;
};

/** Runs the rounds in turns and prints the median ratio; throws only when a reader missed something. */
export const benchFanout = async () => {
  const agent = await startAgent();
  const hub = await startHub({ agentUrl: agent.url, sockets });
  const [crowd, plain] = [forkAsked('./crowd.mjs'), forkAsked('./plain-server.mjs')];
  try {
    const body = { sub: 'bench-reader', roles: [surface], ttlSeconds: 3_600 };
    const { token } = await call(`${hub.url}/v1/dev/token`, { body });
    const ratios = [];
    for (let round = 1; round <= rounds; round++) {
      const ofHub = await hubRound({ hub, crowd, token, round });
      const ofPlain = await plainRound({ plain, crowd, frames: ofHub.kept });
      ratios.push(show(round, ofHub, ofPlain));
    }
    console.log(
      `fan-out 1 x ${sockets} (${surface}): ${median(ratios).toFixed(2)} times a bare ws broadcast (median)`,
    );
  } finally {
    for (const one of [crowd, plain, agent]) one.stop();
    await hub.stop();
  }
};
