/** Keeps one service alive: starts it, notes its pid, brings it back when it dies, ends it when told. */
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { writeWhole } from './processes.mjs';

/** The first return is nearly at once; a service that keeps dying waits longer, never past the promised two seconds. */
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 1_600;
/** Alive this long, a service counts as healthy and its earlier deaths are forgotten. */
const HEALTHY_AFTER_MS = 10_000;

/** How long to wait before the n-th return in a row, counted from 0. */
export const backOff = (returns) => Math.min(FIRST_WAIT_MS * 2 ** returns, LONGEST_WAIT_MS);

const launch = async (service) => {
  const running = await service.start();
  service.running = running;
  service.since = Date.now();
  if (service.pidFile && running.pid) writeWhole(service.pidFile, `${running.pid}\n`);
};

const waitUnlessStopped = async ({ stopped }, ms) => {
  try {
    await pause(ms, undefined, { signal: stopped.signal });
  } catch (error) {
    if (error.name !== 'AbortError') throw error;
  }
};

const bringBack = async (service, why) => {
  const returns = Date.now() - service.since > HEALTHY_AFTER_MS ? 0 : service.returns;
  service.returns = returns + 1;
  const wait = backOff(returns);
  service.log(`${service.name} died (${why}); starting it again in ${wait} ms`);
  await waitUnlessStopped(service, wait);
  if (service.stopped.signal.aborted) return;
  try {
    await launch(service);
  } catch (error) {
    service.log(`${service.name} did not start: ${error.message}`);
  }
};

const tend = async (service) => {
  while (!service.stopped.signal.aborted) {
    const why = await service.running.exited;
    if (!service.stopped.signal.aborted) await bringBack(service, why);
  }
};

const end = async (service) => {
  service.stopped.abort();
  await service.running?.stop();
  // A start or return that was under way when the stop came may have finished meanwhile.
  await Promise.allSettled([service.beginning, service.tending]);
  await service.running?.stop();
  if (service.pidFile) rmSync(service.pidFile, { force: true });
};

/**
 * A service given as `start: () => Promise<{pid, exited, stop}>`.
 * `begin` starts it once, `guard` brings it back from then on, `stop` ends it for good.
 */
export const supervise = ({ name, start, pidFile, log = console.error }) => {
  const service = { name, start, pidFile, log, stopped: new AbortController(), returns: 0, since: 0 };
  return {
    name,
    begin: () => (service.beginning = launch(service)),
    guard: () => {
      service.tending = tend(service);
    },
    stop: () => end(service),
    kill: () => service.running?.stop(0),
    /** Resolves when the process of `begin` says that it is ready. */
    ready: () => service.running.spoke,
    /** Rejects when the process of `begin` ends; for the time before `guard`. */
    mustLive: async () => {
      throw new Error(`${name} stopped before all was ready (${await service.running.exited}).`);
    },
  };
};
