/** Reads the scenarios, which stay in the source folder so that they can be changed without a build. */
import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse as parseYaml } from 'yaml';
import { parseScenario } from '../core/parse-scenario.js';
import type { Scenario } from '../core/scenario.js';

export type Scenarios = ReadonlyMap<string, Scenario>;

/** The same folder from `apps/…/src` and from `dist/apps/…/src`: the repository is where the manifest is. */
export const scenariosDir = (from = dirname(fileURLToPath(import.meta.url))): string => {
  if (existsSync(join(from, 'package.json'))) return join(from, 'apps', 'scripted-agent', 'scenarios');
  if (from === parse(from).root) throw new Error('no package.json above the scripted agent');
  return scenariosDir(dirname(from));
};

/** Throws with the file's name at the first that is no scenario: a demo with a hole is worse than none. */
export const readScenarios = async (dir: string): Promise<Scenarios> => {
  const files = (await readdir(dir)).filter((file) => /\.(ya?ml|json)$/.test(file)).toSorted();
  const read = await Promise.all(files.map((file) => readScenario(dir, file)));
  return new Map(read.map((scenario) => [scenario.id, scenario]));
};

const readScenario = async (dir: string, file: string): Promise<Scenario> => {
  const read = parseScenario(parseYaml(await readFile(join(dir, file), 'utf8')));
  if (!read.ok) throw new Error(`${file} is no scenario:\n${read.problem}`);
  if (read.scenario.id !== parse(file).name)
    throw new Error(`${file} holds the scenario ${read.scenario.id}`);
  return read.scenario;
};
