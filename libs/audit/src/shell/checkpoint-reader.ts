/** Reads checkpoints as they are kept: the newest first, or all lines. */
import type { CheckpointBook } from '../core/checkpoint-book.js';
import { checkpointIn, type Checkpoint } from '../core/checkpoint.js';

export interface CheckpointPage {
  readonly items: readonly Checkpoint[];
  /** Go on before this number; absent: that was all. */
  readonly before?: number;
}

export class CheckpointReader {
  constructor(private readonly book: CheckpointBook) {}

  async page(
    tenant: string,
    asked: { readonly before?: number; readonly limit: number },
  ): Promise<CheckpointPage> {
    const { before = Infinity, limit } = asked;
    const last: Checkpoint[] = [];
    for await (const line of this.book.read(tenant)) {
      const found = checkpointIn(line);
      // Two writers of one checkpoint write the same line.
      if (!found || found.n >= before || found.n === last.at(-1)?.n) continue;
      last.push(found);
      if (last.length > limit + 1) last.shift();
    }
    const items = last.slice(-limit).toReversed();
    return last.length > limit ? { items, before: items.at(-1)?.n ?? 1 } : { items };
  }

  async *lines(tenant: string): AsyncIterable<string> {
    for await (const line of this.book.read(tenant)) yield `${line}\n`;
  }
}
