/** Reads what a deployment keeps in files: its policy, its agents, its signing key; or says what is wrong with them. */
import { readPolicy } from '@triptych/access';
import { type AgentsProblem, readAgents } from '@triptych/agents';
import {
  SigningKey,
  SigningKeyUnusable,
  systemClock,
  type Log,
  type Settings,
  type Shutdown,
} from '@triptych/platform';
import type { Redis } from 'ioredis';
import { AgentDirectory } from './agent-directory.js';
import { BAD_SETTINGS, BootRefused } from './boot.js';
import { PolicySource } from './policy-source.js';
import { watchPolicy } from './watch-policy.js';

export const policyFrom = async (
  { policyFile: file }: Settings,
  log: Log,
  shutdown: Shutdown,
): Promise<PolicySource> => {
  const read = await readPolicy(file);
  if (!read.ok) throw new BootRefused(read.why, BAD_SETTINGS);
  const policy = new PolicySource(read.value);
  shutdown.add('policy-watch', watchPolicy({ file, policy, clock: systemClock, log }));
  return policy;
};

export const agentsFrom = async ({ agentsFile, limits }: Settings): Promise<AgentDirectory> => {
  const read = await readAgents(agentsFile, process.env);
  if (!read.ok)
    throw new BootRefused(
      read.problems.map((problem) => placed(agentsFile, problem)).join('\n'),
      BAD_SETTINGS,
    );
  return new AgentDirectory(read.agents, { eventBytes: limits.snapshotEventBytes });
};

const placed = (file: string, { message, path, line, column }: AgentsProblem): string =>
  `${file}${line === undefined ? '' : `:${line}:${column ?? 1}`} ${path ?? ''} ${message}`;

export const signingKeyFrom = async (
  { signingKeyFile, auth }: Settings,
  redis: Redis,
  log: Log,
): Promise<SigningKey> => {
  if (signingKeyFile === undefined && auth.mode === 'jwt')
    log.warn('signing-key.kept-in-store', { set: 'SIGNING_KEY_FILE' });
  try {
    return await SigningKey.open(redis, signingKeyFile);
  } catch (error) {
    if (error instanceof SigningKeyUnusable)
      throw new BootRefused(`SIGNING_KEY_FILE ${signingKeyFile} ${error.message}.`, BAD_SETTINGS);
    throw error;
  }
};
