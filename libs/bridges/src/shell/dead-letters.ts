/** What could not be delivered: shown to those who mend, and sent again when they say so. */
import { permit, type Actor } from '@triptych/access';
import { ok, refuse, type Result } from '@triptych/protocol';
import type { NotifyKnocks } from '../core/notify-knocks.js';
import { revived } from '../core/posting.js';
import type { DeadLetter, LetterPlace, PostingStore } from '../core/posting-store.js';

export interface LetterPage {
  readonly items: readonly Omit<DeadLetter, 'tenant'>[];
  readonly nextCursor?: string;
}

interface Parts {
  readonly store: PostingStore;
  readonly knocks: NotifyKnocks;
}

const DEFAULT_PAGE = 50;
const PLACE = /^(\d{1,16})\.([\w-]{1,64})$/;

const placeIn = (cursor: string): LetterPlace | undefined => {
  const [, at, id] = PLACE.exec(cursor) ?? [];
  return at === undefined || id === undefined ? undefined : { at: Number(at), id };
};

const withoutTenant = ({ tenant: _tenant, ...letter }: DeadLetter): Omit<DeadLetter, 'tenant'> => letter;

export class DeadLetters {
  constructor(private readonly parts: Parts) {}

  async list(
    actor: Actor,
    { limit = DEFAULT_PAGE, cursor }: { readonly limit?: number; readonly cursor?: string },
  ): Promise<Result<LetterPage>> {
    const { tenant } = actor;
    const allowed = permit(actor, 'deadletter.mend', { tenant });
    if (!allowed.ok) return allowed;
    const after = cursor === undefined ? undefined : placeIn(cursor);
    if (cursor !== undefined && !after) return refuse('INVALID_INPUT', { details: { pointer: '/cursor' } });
    const found = await this.parts.store.letters(tenant, { limit: limit + 1, ...(after ? { after } : {}) });
    const items = found.slice(0, limit);
    const last = found.length > limit ? items.at(-1) : undefined;
    return ok({
      items: items.map(withoutTenant),
      ...(last ? { nextCursor: `${last.at}.${last.id}` } : {}),
    });
  }

  /** It is tried again at once, with as much patience as something new. */
  async resend(actor: Actor, id: string): Promise<Result<Omit<DeadLetter, 'tenant'>>> {
    const { tenant } = actor;
    const allowed = permit(actor, 'deadletter.mend', { tenant });
    if (!allowed.ok) return allowed;
    const { store, knocks } = this.parts;
    const letter = await store.letter(tenant, id);
    if (!letter) return refuse('NOT_FOUND');
    const [posting = {}] = await store.postings([letter]);
    const now = await store.now();
    if (posting.dead) await store.keep(letter, revived(posting));
    await store.setHealth(letter.destination, undefined);
    await store.enter(letter, now);
    await store.unbury(letter);
    await knocks.work(letter.destination, now, now);
    return ok(withoutTenant(letter));
  }
}
