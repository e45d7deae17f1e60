/** Looks at one card after another as one reader sees them at one moment: what was not asked is not worked out. */
import type { TaskState } from '@triptych/protocol';
import { stateAt, type Card, type ShownTo } from './inbox-card.js';
import type { Sought } from './inbox-query.js';
import { urgencyAt } from './priority.js';

export class CardGlance implements Sought {
  constructor(
    public card: Card,
    private readonly to: ShownTo,
    private readonly now: number,
  ) {}

  get state(): TaskState {
    return stateAt(this.card, this.now);
  }
  get groups() {
    return this.card.groups;
  }
  get assignee() {
    return this.card.assignee;
  }
  get reason() {
    return this.card.reason;
  }
  get tool() {
    return this.card.tool;
  }
  get agentId() {
    return this.card.agentId;
  }
  get threadId() {
    return this.card.threadId;
  }
  get dueAt() {
    return this.card.dueAt;
  }
  get holder() {
    const { claim } = this.card;
    return claim && this.now < claim.until ? claim.by : undefined;
  }
  /** What is decided has the urgency it had then. */
  get priority(): number {
    const { card, now } = this;
    return Math.floor(urgencyAt(card, card.isOpen ? now : Math.min(now, card.endedAt ?? now)));
  }
  get decision() {
    return this.card.decided;
  }
  get endedAt() {
    return this.card.endedAt;
  }
  get amount() {
    return this.card.sums[this.to];
  }
  get text(): string {
    return this.card.texts[this.to];
  }
}
