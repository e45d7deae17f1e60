/** A bridge to a board in memory, which can be told to answer as real ones do on bad days. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bridge, Delivery, Notice } from '../src/core/bridge.js';
import { CHAT_SCHEDULE } from '../src/core/retry.js';

export interface Card {
  readonly posted: string;
  readonly noticeId: string;
  readonly text: string;
  readonly updates: number;
}

/** What one call is answered; `drop`: it is done, and nobody hears of it. */
export type Mood = 'fine' | 'drop' | 'die' | Exclude<Delivery, { kind: 'shown' }>;

export class Board implements Bridge<'slack'> {
  readonly kind = 'slack';
  readonly gapMs = 0;
  readonly schedule = CHAT_SCHEDULE;
  readonly cards: Card[] = [];
  readonly notices: Notice<'slack'>[] = [];
  /** By channel: what is answered next, then `fine`. */
  readonly moods = new Map<string, Mood[]>();
  /** Lookups that an unsure notice made necessary. */
  searches = 0;
  /** How long a show takes, and how many were under way at once at most. */
  readonly pace = { ms: 0, underWay: 0, most: 0 };

  async show(notice: Notice<'slack'>): Promise<Delivery> {
    const { pace } = this;
    pace.underWay += 1;
    pace.most = Math.max(pace.most, pace.underWay);
    if (pace.ms > 0) await sleep(pace.ms);
    try {
      return await this.answer(notice);
    } finally {
      pace.underWay -= 1;
    }
  }

  at(channel: string): readonly Card[] {
    return this.cards.filter(({ posted }) => posted.startsWith(`${channel}/`));
  }

  private answer(notice: Notice<'slack'>): Promise<Delivery> {
    this.notices.push(notice);
    const mood = this.moods.get(notice.destination.address)?.shift() ?? 'fine';
    if (typeof mood === 'object') return Promise.resolve(mood);
    const posted = this.place(notice);
    if (mood === 'die') return new Promise(() => undefined);
    if (mood === 'drop') return Promise.resolve({ kind: 'unsure', why: 'no answer' });
    return Promise.resolve({ kind: 'shown', posted });
  }

  private place(notice: Notice<'slack'>): string {
    const { noticeId, task, destination, unsure } = notice;
    if (unsure && notice.posted === undefined) this.searches += 1;
    const known =
      notice.posted ?? (unsure ? this.cards.find((card) => card.noticeId === noticeId)?.posted : undefined);
    const text = `${task.state} ${task.rev}`;
    const nth = this.cards.findIndex(({ posted }) => posted === known);
    const there = this.cards[nth];
    if (there) this.cards[nth] = { ...there, text, updates: there.updates + 1 };
    const posted = known ?? `${destination.address}/${this.cards.length + 1}`;
    if (!there) this.cards.push({ posted, noticeId, text, updates: 0 });
    return posted;
  }
}
