/** One inbox subscription: asked for, kept current, asked for again after a loss. */
import type { Result, ServerFrame } from '@triptych/protocol';
import {
  EMPTY_INBOX,
  inboxAnswered,
  inboxAway,
  inboxCounts,
  inboxTask,
  type InboxReply,
  type InboxView,
} from '../core/inbox-track.js';
import { backOffMs } from '../core/back-off.js';
import type { FollowTools } from './followed-threads.js';
import { guarded } from './listeners.js';

export type InboxFilter = Readonly<Record<string, unknown>>;
export type InboxListener = (view: InboxView) => void;

export type InboxFrame = Extract<ServerFrame, { event: 'task' | 'counts' | 'inbox.reset' }>;

export interface InboxRequests {
  readonly connected: () => boolean;
  readonly ask: (
    event: 'inbox.subscribe' | 'inbox.unsubscribe',
    data: unknown,
    answered: (answer: Result<unknown>) => void,
  ) => void;
}

interface Wanted {
  readonly filter: InboxFilter | undefined;
  readonly limit: number | undefined;
  readonly listener: InboxListener;
}

export class InboxFeed {
  private wanted: Wanted | undefined;
  private view: InboxView = EMPTY_INBOX;
  private asking = 0;
  private refusals = 0;
  private stopTimer: () => void = () => undefined;

  constructor(
    private readonly requests: InboxRequests,
    private readonly tools: FollowTools,
  ) {}

  /** A new filter replaces the old one; one inbox a client. */
  open(filter: InboxFilter | undefined, listener: InboxListener, limit?: number): () => void {
    const wanted = { filter, limit, listener };
    this.wanted = wanted;
    this.move(EMPTY_INBOX);
    this.ask();
    return () => this.close(wanted);
  }

  reconnected(): void {
    this.ask();
  }

  away(): void {
    this.move(inboxAway(this.view));
  }

  frame(frame: InboxFrame): void {
    if (this.wanted === undefined) return;
    if (frame.event === 'inbox.reset') this.ask();
    else if (frame.event === 'task') this.move(inboxTask(this.view, frame.data));
    else if (frame.event === 'counts') this.move(inboxCounts(this.view, frame.data));
  }

  private ask(): void {
    if (this.wanted === undefined || !this.requests.connected()) return;
    this.stopTimer();
    const { filter, limit } = this.wanted;
    const turn = ++this.asking;
    const asked = { ...(filter && { filter }), ...(limit && { limit }) };
    this.requests.ask('inbox.subscribe', asked, (answer) => {
      if (turn === this.asking) this.answered(answer);
    });
  }

  private answered(answer: Result<unknown>): void {
    if (answer.ok) {
      this.refusals = 0;
      return this.move(inboxAnswered(answer.value as InboxReply));
    }
    const { code, next, retryAfterMs } = answer.refusal;
    if (next !== 'retry') return this.move({ ...this.view, phase: 'ended', ended: code });
    const waitMs = backOffMs(this.refusals, this.tools.random(), retryAfterMs);
    this.refusals += 1;
    this.stopTimer = this.tools.clock.later(waitMs, () => this.ask());
  }

  private close(wanted: Wanted): void {
    if (this.wanted !== wanted) return;
    this.stopTimer();
    this.wanted = undefined;
    if (this.requests.connected()) this.requests.ask('inbox.unsubscribe', {}, () => undefined);
  }

  private move(view: InboxView): void {
    if (view === this.view) return;
    this.view = view;
    guarded(() => this.wanted?.listener(view), this.tools.report);
  }
}
