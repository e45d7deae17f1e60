/** Reads `bridges.yaml` from disk, with the time since which its links hold. */
import { stat } from 'node:fs/promises';
import { readPlaced, type FileReading } from '@triptych/access';
import { compileBridges, type Bridges } from '../core/bridges.js';
import { People } from '../core/people.js';

export interface BridgesFile {
  readonly bridges: Bridges;
  readonly people: People;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Whoever was revoked after the file was last written stays out until it is written again. */
const writtenAt = async (file: string): Promise<number> => Math.floor((await stat(file)).mtimeMs);

export const readBridges = async (file: string, env: Environment): Promise<FileReading<BridgesFile>> => {
  const read = await readPlaced(file, (content) => compileBridges(content, env));
  if (!read.ok) return read;
  const linkedAt = await writtenAt(file);
  const people = read.value.people.map(({ name, ...person }) => ({
    ...person,
    ...(name === undefined ? {} : { name }),
    linkedAt,
  }));
  return { ok: true, value: { bridges: read.value, people: new People(people) } };
};
