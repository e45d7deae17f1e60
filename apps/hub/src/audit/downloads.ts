/** Sends long answers piece by piece, as fast as their readers take them, and only as long as these may have them. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import type { Log } from '@triptych/platform';
import { LOG } from '@triptych/platform/nest';
import type { Response } from 'express';
import { valueOf } from '../http/refused.js';
import { OpenDoors } from '../identity/open-doors.js';

const TYPES = {
  jsonl: 'application/jsonl; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
} as const;

export interface Download {
  readonly actor: Actor;
  readonly format: keyof typeof TYPES;
  /** Of the file, without its ending. */
  readonly name: string;
  readonly pieces: AsyncIterable<string>;
}

/** The first piece is read before anything is said: until then a store that is away can still be a refusal. */
const begun = async (pieces: AsyncIterable<string>): Promise<AsyncIterable<string>> => {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => iterator };
  })();
};

const lineOf = (response: Response) => ({
  end: (): void => void response.destroy(),
  /** Who left while they were judged is heard of at once. */
  onceClosed: (hear: () => void): void =>
    response.closed || response.destroyed ? hear() : void response.once('close', hear),
});

const hasLeft = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';

@Injectable()
export class Downloads {
  constructor(
    @Inject(OpenDoors) private readonly doors: OpenDoors,
    @Inject(LOG) private readonly log: Log,
  ) {}

  async send(response: Response, { actor, format, name, pieces }: Download): Promise<void> {
    valueOf(this.doors.addStream(lineOf(response), actor));
    const source = Readable.from(await begun(pieces));
    response.setHeader('content-type', TYPES[format]);
    response.setHeader('content-disposition', `attachment; filename="${name}.${format}"`);
    response.setHeader('cache-control', 'no-store');
    try {
      await pipeline(source, response);
    } catch (error) {
      // What was begun cannot become a refusal: it is cut short, so that nobody takes it for the whole.
      if (!hasLeft(error)) this.log.warn('download.cut-short', { name, error });
    }
  }
}
