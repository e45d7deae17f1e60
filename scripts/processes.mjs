/** Starts, watches and ends processes; whatever is started comes back as `{pid, exited, stop}`. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Time a process has to finish its work after SIGTERM before SIGKILL; above the hub's own drain time. */
const STOP_GRACE_MS = 10_000;
/** How often a process that is not our child is looked at; well inside the two seconds a restart may take. */
const WATCH_EVERY_MS = 200;

export const root = dirname(import.meta.dirname);
const leaveHook = new URL('./leave-with-launcher.mjs', import.meta.url).href;

/** Ended but not yet collected by its parent: an init process may take its time with that. */
const isZombie = (pid) => {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8').split(')').at(-1).slice(0, 3));
  } catch {
    return false;
  }
};

/** True while a process with this id exists and has not ended. */
export const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** The command line of a process, '' when there is none: a pid alone may have been given to a stranger since. */
export const commandOf = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() ?? '';
  }
};

/** Writes a small file so that a reader sees the old or the new text, never half of one. */
export const writeWhole = (path, text) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
};

const signal = (pid, name) => {
  if (isAlive(pid)) process.kill(pid, name);
};

const endProcess = async ({ pid, exited }, graceMs) => {
  signal(pid, 'SIGTERM');
  const patience = new AbortController();
  const late = pause(graceMs, 'late', { signal: patience.signal }).catch(() => 'done');
  const first = await Promise.race([exited, late]);
  patience.abort();
  if (first !== 'late') return;
  signal(pid, 'SIGKILL');
  await exited;
};

const withStop = (running) => ({
  ...running,
  stop: (graceMs = STOP_GRACE_MS) => endProcess(running, graceMs),
});

/** A child of ours; `exited` tells how it ended, `spoke` comes with its first message. */
export const ours = (child) =>
  withStop({
    pid: child.pid,
    exited: new Promise((ended) => {
      child.once('exit', (code, name) => ended(name ? `signal ${name}` : `exit code ${code}`));
      child.once('error', (error) => ended(error.message));
    }),
    spoke: new Promise((heard) => child.once('message', heard)),
  });

/** A process somebody else started: it can be watched and ended, not waited for. */
export const adopted = (pid) => {
  const watch = async () => {
    while (isAlive(pid)) await pause(WATCH_EVERY_MS, undefined, { ref: false });
    return 'gone';
  };
  return withStop({ pid, exited: watch() });
};

/**
 * Starts a Node program in a process group of its own, so that Ctrl-C reaches only the launcher, and with a channel
 * whose end tells it that the launcher is gone.
 */
export const startNode = ({ script, args = [], env = process.env, stdio = 'inherit' }) => {
  const argv = ['--enable-source-maps', '--import', leaveHook, join(root, script), ...args];
  return spawn(process.execPath, argv, {
    cwd: root,
    env,
    detached: true,
    stdio: ['ignore', stdio, stdio, 'ipc'],
  });
};
