/** What tests ask of the machine: a free port, whether a process lives, and to wait for a fact. */
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_AGAIN_MS = 20;

export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

/** Looks again and again until it is so; the test's own time limit is the only clock. */
export const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await pause(LOOK_AGAIN_MS);
};

/** An orphan that init has not collected yet counts as gone. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !/\) Z /u.test(existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '');
  } catch {
    // No such process.
    return false;
  }
};
