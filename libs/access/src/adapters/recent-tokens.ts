/** Remembers who recent tokens spoke for, so that a busy socket costs no signature check each time. */
import type { Actor } from '../core/actor.js';

/** About 5 MB of actors; the least recently used is checked anew. */
const MAX_REMEMBERED = 10_000;

export interface RecentTokens {
  get(key: string): Actor | undefined;
  add(key: string, actor: Actor): void;
}

export const recentTokens = (limit = MAX_REMEMBERED): RecentTokens => {
  // A Map keeps insertion order: the first key is the one unused for longest.
  const actors = new Map<string, Actor>();
  const add = (key: string, actor: Actor): void => {
    actors.delete(key);
    actors.set(key, actor);
    const [oldest] = actors.keys();
    if (actors.size > limit && oldest !== undefined) actors.delete(oldest);
  };
  return {
    add,
    get: (key) => {
      const actor = actors.get(key);
      if (actor) add(key, actor);
      return actor;
    },
  };
};
