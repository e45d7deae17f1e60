/** The facts of the machine a table was made on. */
import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem, type } from 'node:os';

const said = (command, ...args) => {
  try {
    return execFileSync(command, args, { encoding: 'utf8' });
  } catch {
    return '';
  }
};

const redis = () => /v=([\d.]+)/.exec(said('redis-server', '--version'))?.[1] ?? 'built in';

/** One line; the load tells whether something else was running. */
export const machine = () => {
  const cores = cpus();
  const gib = (totalmem() / 2 ** 30).toFixed(1);
  return [
    `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    `${cores.length} × ${cores[0].model.trim()}, ${gib} GiB`,
    `${type()} ${release()}`,
    `Node ${process.versions.node}`,
    `Redis ${redis()}`,
    `load at the end ${loadavg()[0].toFixed(1)}`,
  ].join(' · ');
};
