/** Keeps checkpoints in files that only grow, one a tenant, outside of the store that holds the trail. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { CheckpointBook } from '../core/checkpoint-book.js';

/** File systems take names of 255 bytes. */
const MAX_NAME = 200;
/** The last line is in here: a checkpoint is a few hundred bytes. */
const TAIL_BYTES = 16 * 1024;
const LINE_END = '\n';

const nameOf = (tenant: string): string => {
  const encoded = encodeURIComponent(tenant);
  return encoded.length <= MAX_NAME ? encoded : `sha256-${createHash('sha256').update(tenant).digest('hex')}`;
};

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

const tailOf = async (file: FileHandle): Promise<string> => {
  const { size } = await file.stat();
  const length = Math.min(size, TAIL_BYTES);
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
  return buffer.toString();
};

export class CheckpointFiles implements CheckpointBook {
  constructor(private readonly folder: string) {}

  async last(tenant: string): Promise<string | undefined> {
    const file = await open(this.fileOf(tenant)).catch(nothingIfMissing);
    if (!file) return undefined;
    try {
      // What follows the last line end was cut off when its writer died.
      return (await tailOf(file)).split(LINE_END).slice(0, -1).at(-1);
    } finally {
      await file.close();
    }
  }

  async add(tenant: string, lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return;
    await mkdir(this.folder, { recursive: true });
    const file = await open(this.fileOf(tenant), 'a+');
    try {
      const before = await tailOf(file);
      const torn = before !== '' && !before.endsWith(LINE_END);
      await file.appendFile([...(torn ? [''] : []), ...lines, ''].join(LINE_END));
      await file.datasync();
    } finally {
      await file.close();
    }
  }

  async *read(tenant: string): AsyncIterable<string> {
    const file = await open(this.fileOf(tenant)).catch(nothingIfMissing);
    if (!file) return;
    await file.close();
    yield* createInterface({ input: createReadStream(this.fileOf(tenant)), crlfDelay: Infinity });
  }

  private fileOf(tenant: string): string {
    return join(this.folder, `${nameOf(tenant)}.checkpoints.jsonl`);
  }
}

const nothingIfMissing = (error: unknown): undefined => {
  if (isMissing(error)) return undefined;
  throw error;
};
