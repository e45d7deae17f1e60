/** Starts the scripted agents as a process of their own: no model, no key, the same answers every time. */
import { once } from 'node:events';
import { startAgentServer } from './adapters/agent-server.js';
import { readScenarios, scenariosDir } from './adapters/scenario-files.js';
import { readSettings } from './core/read-settings.js';

const read = readSettings(process.env);
if (!read.ok) {
  process.stderr.write(`${read.problems.join('\n')}\n`);
  process.exit(1);
}
const { dir, ...settings } = read.settings;
const scenarios = await readScenarios(dir ?? scenariosDir());
const server = await startAgentServer({ ...settings, scenarios });
process.stdout.write(`scripted agent listening on ${server.url}\n`);

await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
await server.stop();
