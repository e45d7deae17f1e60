/** Reads how much processor time a process has used. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Ticks of /proc/<pid>/stat in a second. */
const ticksPerSecond = () => Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
const MS_PER_TICK = 1_000 / ticksPerSecond();

/** User and system time of the process so far, in milliseconds; Linux only. */
export const cpuMs = (pid) => {
  // The name in field 2 may hold spaces: count from the bracket that closes it.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  return (user + system) * MS_PER_TICK;
};
