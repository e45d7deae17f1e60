/** How soon Slack is told that a press came, at 50 a second, beside a server that checks the signature and no more. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ours, startNode } from '../scripts/processes.mjs';
import { ANN, openChats, percentile, SECRET, until } from './kit/chats.mjs';
import { settings } from './kit/settings.mjs';
import { atMost } from './kit/table.mjs';
import { median } from './kit/turns.mjs';

const [PER_SECOND, SECONDS] = [50, 3];
const GOAL_MS = 250;
/** No slower than the plain server by more than this, for each is a write to a store and its answer. */
const GOAL_RATIO = 10;
const MAX_ROUNDS = 3;

const startPlain = async (secret) => {
  const child = ours(
    startNode({ script: 'bench/kit/plain-ack.mjs', env: { ...process.env, PLAIN_SECRET: secret } }),
  );
  const { port } = await child.spoke;
  return { url: `http://127.0.0.1:${port}`, stop: child.stop };
};

/** The press of a button, as Slack tells of it. */
const pressOf = (value) => {
  const at = `${Date.now() / 1_000}`;
  const payload = {
    ...{ type: 'block_actions', api_app_id: 'A0HUB', trigger_id: randomUUID() },
    ...{ team: { id: 'T0HOME' }, user: { id: ANN.slack, team_id: 'T0HOME' }, channel: { id: 'C0DESK' } },
    container: { type: 'message', message_ts: at, channel_id: 'C0DESK' },
    actions: [{ type: 'button', action_id: 'tt.approve', value, action_ts: randomUUID() }],
  };
  return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
};

/** So many a second, whether or not those before are answered; each one's time. */
const pressAll = async ({ slack }, url, values) => {
  const began = performance.now();
  const press = async (value, nth) => {
    await pause(began + (nth * 1_000) / PER_SECOND - performance.now());
    const body = pressOf(value);
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...slack.hub.signed(body) };
    const sent = performance.now();
    const answer = await fetch(`${url}/v1/bridges/slack/interactions`, { method: 'POST', headers, body });
    await answer.text();
    if (answer.status !== 200) throw new Error(`a press was answered ${answer.status}`);
    return performance.now() - sent;
  };
  return Promise.all(values.map(press));
};

/** All that was acknowledged was done. */
const expectDone = async ({ hub, token }, tasks) => {
  const left = new Set(tasks.map(({ taskId }) => taskId));
  const look = async () => {
    for (const taskId of left) {
      const answer = await fetch(`${hub.url}/v1/approvals/${taskId}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const { decision } = await answer.json();
      if (decision?.by[0] !== ANN.sub) return;
      left.delete(taskId);
    }
  };
  const began = performance.now();
  while (left.size > 0) {
    await look();
    await until('what was pressed', () => true, began);
  }
};

const measured = async (stage, plain) => {
  const { chatValues } = await import('../dist/libs/bridges/src/index.js');
  const values = chatValues(Buffer.from(SECRET));
  const found = { hub: [], plain: [] };
  // The first of each only warms up.
  for (let nth = 0; nth <= Math.min(settings.rounds, MAX_ROUNDS); nth += 1) {
    const tasks = await stage.ask(['nowhere'], PER_SECOND * SECONDS);
    const sealed = tasks.map((task) => values.seal(task));
    const times = {
      plain: await pressAll(stage, plain.url, sealed),
      hub: await pressAll(stage, stage.hub.url, sealed),
    };
    if (nth > 0) for (const name of Object.keys(found)) found[name].push(...times[name]);
    await expectDone(stage, tasks);
  }
  return found;
};

export const bench = async () => {
  const stage = await openChats();
  const plain = await startPlain(stage.slack.hub.secret);
  try {
    const { hub, plain: least } = await measured(stage, plain);
    const [p99, leastP99] = [percentile(hub, 0.99), percentile(least, 0.99)];
    const more = `median ${median(hub).toFixed(1)} ms; a server that checks the signature and no more: ${median(least).toFixed(1)} and ${leastP99.toFixed(1)} ms; all ${hub.length} decided`;
    return [
      {
        what: `Acknowledged to Slack at ${PER_SECOND} presses a second: 99th percentile`,
        ...atMost(GOAL_MS, p99, 'ms'),
        more,
      },
      { what: 'The same / that server: medians', ...atMost(GOAL_RATIO, median(hub) / median(least)) },
    ];
  } finally {
    await plain.stop();
    await stage.stop();
  }
};
