/** Verifies an export from files alone. */
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { exportedIn, verifyTrail, type ChainVerdict, type FoundRecord } from '@triptych/audit';
import type { JSONWebKeySet } from 'jose';

export const jwksIn = async (file: string): Promise<JSONWebKeySet> => {
  const found = JSON.parse(await readFile(file, 'utf8')) as JSONWebKeySet;
  if (!Array.isArray(found.keys)) throw new Error(`${file} is no key set`);
  return found;
};

/** Lines of a file in pieces: one at a time costs as much as what is done with it. */
async function* linesIn(file: string): AsyncIterable<readonly string[]> {
  let rest = '';
  for await (const text of createReadStream(file, { encoding: 'utf8', highWaterMark: 1024 * 1024 })) {
    const lines = (rest + String(text)).split('\n');
    rest = lines.pop() ?? '';
    yield lines;
  }
  // A last line without its end was cut off.
  if (rest !== '') yield [rest];
}

async function* recordsIn(file: string): AsyncIterable<readonly FoundRecord[]> {
  for await (const lines of linesIn(file)) yield lines.map((line) => exportedIn(line));
}

export async function* checkpointsIn(file: string): AsyncIterable<string> {
  for await (const lines of linesIn(file)) yield* lines;
}

export const verifyFiles = async (files: {
  readonly file: string;
  readonly checkpoints: string;
  readonly jwks: string;
}): Promise<ChainVerdict> =>
  verifyTrail({
    records: recordsIn(files.file),
    checkpoints: checkpointsIn(files.checkpoints),
    jwks: await jwksIn(files.jwks),
  });
