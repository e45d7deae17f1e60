/** Reads `agents.yaml` from disk. */
import { readFile } from 'node:fs/promises';
import { parseAgents } from '../core/parse-agents.js';
import type { AgentsRead, Environment } from '../core/parse-agents.js';

export const readAgents = async (file: string, env: Environment): Promise<AgentsRead> => {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => error);
  if (typeof text !== 'string')
    return { ok: false, problems: [{ message: `cannot be read: ${text.code ?? text.message}` }] };
  return parseAgents(text, env);
};
