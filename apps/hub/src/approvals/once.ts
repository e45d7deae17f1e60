/** Does what is asked under one key once: its repeat gets the first answer, another request under that key is refused. */
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { type Actor, canonicalOf } from '@triptych/access';
import { storeCall } from '@triptych/platform';
import { REDIS } from '@triptych/platform/nest';
import { ok, refuse, type Result } from '@triptych/protocol';
import type { Redis } from 'ioredis';

export interface AskedOnce {
  readonly actor: Pick<Actor, 'tenant' | 'subject'>;
  readonly key: string;
  /** Everything that makes it this request and no other. */
  readonly request: unknown;
}

export interface DoneOnce<T> {
  /** The answer is of an earlier time. */
  readonly again: boolean;
  readonly answer: Result<T>;
}

interface Kept {
  readonly print: string;
  /** Absent while it is being done. */
  readonly value?: unknown;
}

/** Clients that lost an answer ask again within minutes; people come back the next day. */
export const KEEP_MS = 24 * 60 * 60 * 1000;
/** Whoever does it is believed to be alive for so long; after that another may. */
const DOING_MS = 30_000;
/** Whoever asks the same meanwhile waits for so long, looking so often. */
const WAIT_MS = 2_000;
const LOOK_MS = 50;
const RETRY_MS = 1_000;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Somebody's key is theirs alone. */
const keyOf = ({ actor, key }: AskedOnce): string =>
  `tt:once:${hashOf(JSON.stringify([actor.tenant, actor.subject, key]))}`;

@Injectable()
export class Once {
  constructor(@Inject(REDIS) private readonly redis: Redis) {}

  /** A refusal did nothing: the key is free again, and a repeat is judged anew. */
  async do<T>(asked: AskedOnce, work: () => Promise<Result<T>>): Promise<DoneOnce<T>> {
    const key = keyOf(asked);
    // What has no canonical form is the same again only when it comes letter by letter.
    const print = hashOf(canonicalOf(asked.request) ?? JSON.stringify(asked.request));
    for (let waited = 0; waited <= WAIT_MS; waited += LOOK_MS) {
      if (await this.take(key, print)) return { again: false, answer: await this.first(key, print, work) };
      const kept = await this.kept(key);
      if (kept && kept.print !== print) return { again: false, answer: refuse('IDEMPOTENCY_KEY_REUSED') };
      if (kept && 'value' in kept) return { again: true, answer: ok(kept.value as T) };
      await pause(LOOK_MS);
    }
    const message = 'The same request is being answered.';
    return { again: false, answer: refuse('THREAD_BUSY', { message, retryAfterMs: RETRY_MS }) };
  }

  private async take(key: string, print: string): Promise<boolean> {
    const doing: Kept = { print };
    return (await storeCall(this.redis.set(key, JSON.stringify(doing), 'PX', DOING_MS, 'NX'))) === 'OK';
  }

  private async kept(key: string): Promise<Kept | undefined> {
    const json = await storeCall(this.redis.get(key));
    return json === null ? undefined : (JSON.parse(json) as Kept);
  }

  private async first<T>(key: string, print: string, work: () => Promise<Result<T>>): Promise<Result<T>> {
    const answer = await work().catch(async (error: unknown) => {
      await this.free(key);
      throw error;
    });
    if (!answer.ok) await this.free(key);
    else await storeCall(this.redis.set(key, JSON.stringify({ print, value: answer.value }), 'PX', KEEP_MS));
    return answer;
  }

  private async free(key: string): Promise<void> {
    await storeCall(this.redis.del(key));
  }
}
