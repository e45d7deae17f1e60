/** Notifies by a workflow's webhook, which can only be posted to: what is shown there stays, so it is a link and no button. */
import { postPinned } from '../../adapters/post-pinned.js';
import type { Delivery, Notice } from '../../core/bridge.js';
import { deliveryOf, type PostOutcome } from '../../core/post-outcome.js';
import { isAnswerable } from '../../core/task-facts.js';
import type { Reach } from '../../core/target.js';
import { workflowMessage } from '../core/messages.js';
import { taskCard } from '../core/task-card.js';
import type { RedisTeamsBook } from './redis-teams-book.js';

export interface WorkflowParts {
  readonly book: RedisTeamsBook;
  readonly reach: Reach;
  readonly now: () => number;
  /** Hears what went wrong beside a card that is shown. */
  readonly report: (failure: unknown) => void;
}

const TIMEOUT_MS = 15_000;
/** What was told last: that it is asked, or how it ended. */
type Told = 'asked' | 'over';

/** Words that a later attempt may change. */
const PASSING = [408, 410, 425, 429];
const isNever = (outcome: PostOutcome): boolean =>
  outcome.kind === 'answered' &&
  outcome.status >= 400 &&
  outcome.status < 500 &&
  !PASSING.includes(outcome.status);

const meaningOf = (outcome: PostOutcome, told: Told): Delivery => {
  const delivery = deliveryOf(outcome, told);
  return delivery.kind === 'failed' && isNever(outcome) ? { kind: 'refused', why: delivery.why } : delivery;
};

export class WorkflowPosts {
  constructor(private readonly parts: WorkflowParts) {}

  async show(notice: Notice<'teams'>): Promise<Delivery> {
    const { task, posted, unsure, noticeId } = notice;
    const { book, now, report } = this.parts;
    const told: Told = isAnswerable(task) ? 'asked' : 'over';
    const saying = `${noticeId} ${told}`;
    // BRG-116: what may have arrived is not said again, for nobody could take it back; the other of the two is.
    if (posted === told || posted === 'over' || (unsure && (await book.isUnsure(saying))))
      return { kind: 'shown', posted: told };
    await book.unsureSince(saying, now());
    const delivery = meaningOf(await this.post(notice), told);
    if (delivery.kind !== 'unsure') await book.sureAgain(saying).catch(report);
    return delivery;
  }

  private post({ task, destination, link, names }: Notice<'teams'>): Promise<PostOutcome> {
    const card = taskCard(task, { kind: 'reader' }, { link, names, value: '' });
    return postPinned({
      url: new URL(destination.address),
      headers: { 'content-type': 'application/json', 'user-agent': 'triptych' },
      body: Buffer.from(JSON.stringify(workflowMessage(card))),
      ...{ reach: this.parts.reach, timeoutMs: TIMEOUT_MS },
    });
  }
}
