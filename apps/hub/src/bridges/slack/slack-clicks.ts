/** Does what people pressed, after Slack was told that it came: at once, or, if whoever took it died, soon after. */
import { every, inBackground, type Clock, type Log } from '@triptych/platform';
import { isStoreAway, ok, refuse, type Result } from '@triptych/protocol';
import type { Redis } from 'ioredis';
import pLimit from 'p-limit';
import { ClickStore, type Click, type TakenClick } from './click-store.js';
import type { SlackActs } from './slack-acts.js';

/** Decisions that are made at a time; each is a few steps of the store. */
const AT_ONCE = 16;
/** Clicks that wait here for their turn, at most; beyond these the store keeps them for whoever has room next. */
const MAX_PENDING = 400;
/** How often it is looked for what somebody else left undone. */
const LOOK_MS = 2_000;
/** After so long nobody waits for a click of theirs; they are told instead. */
const WORTH_DOING_MS = 5 * 60_000;
const FULL_RETRY_MS = 5_000;

/** The store says itself that it is away. */
const noneWhileAway = (error: unknown): readonly TakenClick[] => {
  if (isStoreAway(error)) return [];
  throw error;
};

export interface SlackClicksParts {
  readonly redis: Redis;
  readonly acts: Pick<SlackActs, 'do' | 'giveUp'>;
  readonly clock: Clock;
  readonly log: Log;
}

export class SlackClicks {
  private readonly store: ClickStore;
  private readonly atOnce = pLimit(AT_ONCE);

  constructor(private readonly parts: SlackClicksParts) {
    this.store = new ClickStore(parts.redis);
  }

  /** Kept when this returns; it is done soon. */
  async take(click: Click): Promise<Result<undefined>> {
    const taken = await this.store.take(click, this.parts.clock.now());
    if (taken === 'full') return refuse('RATE_LIMITED', { retryAfterMs: FULL_RETRY_MS });
    if (taken !== 'again' && this.atOnce.pendingCount < MAX_PENDING)
      inBackground(this.parts.log, 'slack click', this.do(taken));
    return ok(undefined);
  }

  isFirst(click: Click): Promise<boolean> {
    return this.store.isFirst(click.dedupeKey);
  }

  /** Until the returned stop. */
  follow(): () => void {
    return every(LOOK_MS, () => inBackground(this.parts.log, 'slack clicks', this.doLeft()));
  }

  /** As much as can be done at once: what waited here for its turn would lapse, and be taken a second time. */
  private async doLeft(): Promise<void> {
    for (let room = this.room; room > 0; room = this.room) {
      const left = await this.store.left(room).catch(noneWhileAway);
      if (left.length === 0) return;
      await Promise.all(left.map((taken) => this.do(taken)));
    }
  }

  private get room(): number {
    return AT_ONCE - this.atOnce.activeCount - this.atOnce.pendingCount;
  }

  /** What fails stays, and is taken again, as long as it is worth it. */
  private do(taken: TakenClick): Promise<void> {
    const { acts } = this.parts;
    return this.atOnce(async () => {
      const isLate = this.parts.clock.now() - taken.at > WORTH_DOING_MS;
      await (isLate ? acts.giveUp(taken.click) : acts.do(taken.click));
      await this.store.done(taken);
    });
  }
}
