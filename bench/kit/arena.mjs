/** Hub and rivals side by side, and one crowd that reads each of them in turn: what a delivery costs. */
import { forkAsked } from './asked.mjs';
import { startAgent } from './agent.mjs';
import { openRuns } from './hub-runs.mjs';
import { openStage, tokenFor } from './stage.mjs';
import { cpuMs } from './usage.mjs';

/** Throws when a reader missed something: fast and lossy is no result. */
export const mustBeWhole = (name, { faults }) => {
  if (faults.length > 0) throw new Error(`${name}: ${faults.join('; ')}`);
};

/** Two hubs: one carries the runs, the other has the readers. */
export const openArena = async ({ rivals = () => ({}) } = {}) => {
  const agent = await startAgent();
  const stage = await openStage({ agentUrl: agent.url, hubs: 2 });
  const started = Object.entries(rivals(stage.redis)).map(([name, [file, ...args]]) => [
    name,
    forkAsked(file, ...args),
  ]);
  const crowd = forkAsked('crowd/crowd.mjs');
  const [carrier, reading] = stage.hubs;
  const token = await tokenFor(carrier, 'customer');
  const operatorToken = await tokenFor(carrier, 'operator');
  const runs = await openRuns(carrier, token);
  return {
    ...{ crowd, carrier, reading, runs, stage },
    tokens: { customer: token, operator: operatorToken },
    rivals: Object.fromEntries(started),
    stop: async () => {
      runs.close();
      for (const one of [crowd, agent, ...started.map(([, rival]) => rival)]) one.stop();
      await stage.stop();
    },
  };
};

/** Lets the crowd join, does `work`, waits until every reader is done; the processor time of `pid` meanwhile. */
export const measure = async ({ name, crowd, pid, where, work, deltas }) => {
  mustBeWhole(`${name}, joining`, await crowd.ask('join', where));
  const before = cpuMs(pid);
  await work();
  const report = await crowd.ask('report', { deltas });
  const cpu = cpuMs(pid) - before;
  mustBeWhole(name, report);
  return { ...report, cpu };
};
