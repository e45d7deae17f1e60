/** What can be asked of hubctl. */
import { parseArgs } from 'node:util';
import { describeFault, type ChainVerdict } from '@triptych/audit';
import type { Environment } from '@triptych/platform';
import { onTrail } from './on-trail.js';
import { verifyFiles } from './verify-files.js';

export const HELP = `Usage:
  hubctl audit verify [--tenant <tenant>] [--checkpoints <file>] [--jwks <file>]
      Verifies what is sealed in Redis (REDIS_URL, or the one of npm start) against the checkpoints of DATA_DIR.
  hubctl audit verify --export <file> --checkpoints <file> --jwks <file>
      Verifies an export without a hub or a Redis.
  hubctl audit erase <tenant> <subject> [--by <name>]
      Makes what the trail holds of a person unreadable.
Exit code 0: good, done. 1: the trail is not good. 2: this could not be found out or done.`;

type Say = (line: string) => void;

const OPTIONS = {
  tenant: { type: 'string' },
  export: { type: 'string' },
  checkpoints: { type: 'string' },
  jwks: { type: 'string' },
  by: { type: 'string' },
  help: { type: 'boolean' },
} as const;

const tell = (say: Say, what: string, verdict: ChainVerdict): boolean => {
  if (!verdict.ok) say(`${what}: NOT GOOD: ${describeFault(verdict.fault)}`);
  else if (verdict.records === 0) say(`${what}: nothing is sealed`);
  else
    say(
      `${what}: good: records 1 to ${verdict.records}, vouched for up to ${verdict.covered}; the last hash is ${verdict.head}`,
    );
  return verdict.ok;
};

interface Given {
  readonly tenant?: string;
  readonly export?: string;
  readonly checkpoints?: string;
  readonly jwks?: string;
  readonly by?: string;
}

const verify = async (given: Given, env: Environment, say: Say): Promise<number> => {
  const { export: file, checkpoints, jwks, tenant } = given;
  if (file === undefined) {
    const verdicts = await onTrail(env, (trail) => trail.verify({ tenant, checkpoints, jwks }));
    return verdicts.map(([name, verdict]) => tell(say, name, verdict)).every(Boolean) ? 0 : 1;
  }
  if (checkpoints === undefined || jwks === undefined)
    throw new Error('--export wants --checkpoints and --jwks');
  return tell(say, file, await verifyFiles({ file, checkpoints, jwks })) ? 0 : 1;
};

const erase = async (
  names: readonly string[],
  { by = 'hubctl' }: Given,
  { env, say }: { env: Environment; say: Say },
) => {
  const [tenant, subject] = names;
  if (tenant === undefined || subject === undefined) throw new Error('erase wants a tenant and a subject');
  const key = await onTrail(env, (trail) => trail.erase({ tenant, subject, by }));
  say(
    key === undefined
      ? 'Nothing is sealed under that name.'
      : `Erased: key ${key} is gone, and the trail says so.`,
  );
  return 0;
};

/** The exit code. Rejects with what could not be understood or done. */
export const run = async (args: readonly string[], env: Environment, say: Say): Promise<number> => {
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  const [subject, command, ...names] = positionals;
  if (values.help) {
    say(HELP);
    return 0;
  }
  if (subject === 'audit' && command === 'verify' && names.length === 0) return verify(values, env, say);
  if (subject === 'audit' && command === 'erase') return erase(names, values, { env, say });
  throw new Error('there is no such command');
};
