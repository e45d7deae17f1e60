/** Keeps in Redis what was revoked, for all tenants and all hubs. */
import { readFileSync } from 'node:fs';
import { MAX_TOKEN_LIFE_MS, type Revocation, type RevokedBy, type RevokedName } from '@triptych/access';
import { inBackground, storeCall, type Log } from '@triptych/platform';
import type { Redis } from 'ioredis';

const KEY = 'tt:revoked';
const CHANNEL = 'tt:revoked:news';
/** Entries in one reply. */
const PAGE = 1_000;

interface Listening {
  readonly subscriber: Redis;
  readonly log: Log;
  readonly listener: (revocation: Revocation) => void;
}

interface WithScript {
  triptychRevoke(key: string, channel: string, what: string, keepMs: number): Promise<string>;
}

const textOf = ({ tenant, by, name }: RevokedName): string => JSON.stringify([tenant, by, name]);

const revocationIn = (text: string, at: string | undefined): Revocation => {
  const [tenant, by, name] = JSON.parse(text) as [string, RevokedBy, string];
  return { tenant, by, name, at: Number(at) };
};

/** As the store tells sets with scores: what, when, what, when. */
const revocationsIn = (reply: readonly string[]): readonly Revocation[] =>
  reply.flatMap((text, place) => (place % 2 === 0 ? [revocationIn(text, reply[place + 1])] : []));

export class RevocationStore {
  private readonly script: WithScript;

  constructor(private readonly redis: Redis) {
    const lua = readFileSync(new URL('./revoke.lua', import.meta.url), 'utf8');
    redis.defineCommand('triptychRevoke', { numberOfKeys: 2, lua });
    this.script = redis as unknown as WithScript;
  }

  /** Calls `listener` with each one as it comes; those that were told while the line was down are in `after`. */
  listen({ subscriber, log, listener }: Listening): () => void {
    const subscribe = (): void => inBackground(log, 'revocation-news', subscriber.subscribe(CHANNEL));
    const hear = (channel: string, text: string): void => {
      const space = text.indexOf(' ');
      if (channel === CHANNEL) listener(revocationIn(text.slice(space + 1), text.slice(0, space)));
    };
    subscriber.on('message', hear);
    subscriber.on('ready', subscribe);
    if (subscriber.status === 'ready') subscribe();
    return () => {
      subscriber.off('message', hear);
      subscriber.off('ready', subscribe);
    };
  }

  async add(name: RevokedName): Promise<Revocation> {
    const at = await storeCall(this.script.triptychRevoke(KEY, CHANNEL, textOf(name), MAX_TOKEN_LIFE_MS));
    return { ...name, at: Number(at) };
  }

  /** When something was revoked last; 0: nothing is. */
  async newest(): Promise<number> {
    const [, at] = await storeCall(this.redis.zrevrange(KEY, 0, 0, 'WITHSCORES'));
    return Number(at ?? 0);
  }

  /** The next ones, oldest first; none: that was all. */
  async after(at: number): Promise<readonly Revocation[]> {
    return revocationsIn(
      await storeCall(this.redis.zrangebyscore(KEY, `(${at}`, '+inf', 'WITHSCORES', 'LIMIT', 0, PAGE)),
    );
  }

  /** Gives a store that lost some of them back what is known here. */
  async restore(known: readonly Revocation[]): Promise<void> {
    for (let from = 0; from < known.length; from += PAGE) {
      const pairs = known.slice(from, from + PAGE).flatMap((each) => [each.at, textOf(each)]);
      await storeCall(this.redis.zadd(KEY, 'GT', ...pairs));
    }
  }
}
