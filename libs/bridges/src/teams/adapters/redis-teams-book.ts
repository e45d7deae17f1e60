/** Remembers in Redis where the app is installed, who is who, and which message shows which task. */
import { storeCall } from '@triptych/platform';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { Acquaintance, Learned, Place } from '../core/places.js';

/** Cards that were posted without an answer are found while somebody may still look at them. */
const SEEN_MS = 24 * 60 * 60 * 1000;
/** Messages of one task in one conversation: more are a fault, and not worth remembering. */
const MAX_SEEN = 20;

const part = encodeURIComponent;
const placeKey = (conversation: string): string => `tt:teams:place:${part(conversation)}`;
const chatKey = (name: string): string => `tt:teams:chat:${part(name)}`;
const personKey = (aadObjectId: string): string => `tt:teams:person:${part(aadObjectId)}`;
const seenKey = ({ conversation, taskId }: CardAt): string =>
  `tt:teams:seen:${part(conversation)}:${part(taskId)}`;
const unsureKey = (noticeId: string): string => `tt:teams:unsure:${part(noticeId)}`;

const placeForm = z.object({
  conversation: z.string(),
  kind: z.string(),
  serviceUrl: z.string(),
  tenant: z.string(),
  with: z.array(z.string()).optional(),
});

export interface CardAt {
  readonly conversation: string;
  readonly taskId: string;
}

export class RedisTeamsBook {
  constructor(private readonly redis: Redis) {}

  async learn({ keep, forget, met }: Learned): Promise<void> {
    if (forget !== undefined) await storeCall(this.redis.del(placeKey(forget)));
    if (keep) await this.keep(keep);
    if (met) await this.meet(met);
  }

  /** By the conversation's id, or by a person's name, whose own chat it is then. */
  async find(address: string): Promise<Place | undefined> {
    const own = await storeCall(this.redis.get(chatKey(address)));
    const json = await storeCall(this.redis.get(placeKey(own ?? address)));
    return json === null ? undefined : (placeForm.parse(JSON.parse(json)) as Place);
  }

  /** Those of them by whom Teams knows people here; others never spoke to the bot. */
  async mrisOf(names: readonly string[]): Promise<readonly string[]> {
    const found = await Promise.all(
      names.map(async (name) =>
        name.startsWith('29:') ? name : await storeCall(this.redis.get(personKey(name))),
      ),
    );
    return [...new Set(found.filter((mri) => mri !== null))];
  }

  /** Somebody has a card of the task before them. */
  async sawCard(at: CardAt, message: string): Promise<void> {
    const key = seenKey(at);
    if ((await storeCall(this.redis.scard(key))) >= MAX_SEEN) return;
    await storeCall(this.redis.multi().sadd(key, message).pexpire(key, SEEN_MS).exec());
  }
  async seenCards(at: CardAt): Promise<readonly string[]> {
    return storeCall(this.redis.smembers(seenKey(at)));
  }
  async removedCard(at: CardAt, message: string): Promise<void> {
    await storeCall(this.redis.srem(seenKey(at), message));
  }

  /** Since when it is not known whether the card arrived: the earliest call counts. */
  async unsureSince(noticeId: string, now: number): Promise<number> {
    await storeCall(this.redis.set(unsureKey(noticeId), String(now), 'PX', SEEN_MS, 'NX'));
    return Number((await storeCall(this.redis.get(unsureKey(noticeId)))) ?? now);
  }
  async isUnsure(noticeId: string): Promise<boolean> {
    return (await storeCall(this.redis.exists(unsureKey(noticeId)))) === 1;
  }
  async sureAgain(noticeId: string): Promise<void> {
    await storeCall(this.redis.del(unsureKey(noticeId)));
  }

  private async keep(place: Place): Promise<void> {
    const { conversation } = place;
    await storeCall(this.redis.set(placeKey(conversation), JSON.stringify(place)));
    for (const name of place.with ?? []) await storeCall(this.redis.set(chatKey(name), conversation));
  }

  private async meet({ aadObjectId, mri }: Acquaintance): Promise<void> {
    await storeCall(this.redis.set(personKey(aadObjectId), mri));
  }
}
