/** Reads what a process uses; Linux only. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const MS_PER_TICK = 1_000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** User and system time of the process so far, in milliseconds. */
export const cpuMs = (pid) => {
  // The name in field 2 may hold spaces: count from the bracket that closes it.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
};

/** Memory the process holds, in bytes. */
export const rssBytes = (pid) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1_024;
