/** What all readers of a history have in common. */
import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Surface } from '@triptych/protocol';
import type { Chance } from './chance.js';
import type { Book } from './history.js';
import type { Hub } from '../stand/hub.js';
import { CUSTOMER_SECRET, REVIEWER_SECRET } from './story.js';

export interface Seat {
  readonly name: string;
  readonly surface: Surface;
  readonly hubs: readonly Hub[];
  readonly token: string;
  readonly threads: readonly string[];
  readonly chance: Chance;
  readonly cold?: boolean;
}

export interface HistoryReader {
  readonly seat: Seat;
  positionOf(threadId: string): string | undefined;
  /** From now on it stays where it is, so that it can come to the end. */
  settle(): void;
  stop(): Promise<void>;
  books(): readonly Book[];
}

export const SECRETS: Readonly<Record<Surface, readonly string[]>> = {
  customer: [CUSTOMER_SECRET, REVIEWER_SECRET],
  reviewer: [REVIEWER_SECRET],
  operator: [],
};

/** A reader sits this long before it leaves for another hub, ms. */
export const SITS_MS = { from: 200, to: 2_500 };
/** A hub that is not there is asked again after this, ms. */
export const AGAIN_MS = { from: 30, to: 150 };

/** A reader's pauses: they end with it, so that nothing of it is left waiting. */
export class Pauses {
  private readonly ending = new AbortController();

  constructor() {
    // A reader of several threads waits for several things at once.
    setMaxListeners(0, this.ending.signal);
  }

  async pause(ms: number): Promise<void> {
    const { signal } = this.ending;
    // Ended early is ended.
    await wait(ms, undefined, { signal }).catch(() => undefined);
  }

  end(): void {
    this.ending.abort();
  }
}
