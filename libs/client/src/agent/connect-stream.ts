/** A thread as it stands, then live until nothing is under way: what `POST …/connect` gives, not bound to one connection. */
import type { BaseEvent } from '@ag-ui/client';
import {
  emptyModel,
  hasOpenCalls,
  pendingInterruptsOf,
  prelude,
  refusal,
  type Model,
} from '@triptych/protocol';
import type { Subscriber } from 'rxjs';
import { systemClock } from '../adapters/clock.js';
import type { ThreadChange } from '../adapters/followed-threads.js';
import { bridge, isOver, runIdOf } from '../core/bridge.js';
import type { ThreadView } from '../core/thread-track.js';
import type { ClientLease } from './client-lease.js';
import { ThreadTap } from './thread-tap.js';

/** A thread that cannot be looked at within this is given up, ms. */
const JOIN_WITHIN_MS = 20_000;

const isIdle = (model: Model): boolean => isOver(model) && pendingInterruptsOf(model).length === 0;

/** Calls that nobody has answered may hold the thread, which no event tells. */
const mayBeAnswered = (model: Model): boolean => isIdle(model) && hasOpenCalls(model);

export class ConnectStream {
  private readonly tap: ThreadTap;
  private told: Model | undefined;
  private readonly stopStatus: () => void;
  private readonly stopTimer: () => void;

  constructor(
    private readonly threadId: string,
    parts: { readonly lease: ClientLease; readonly reader: Subscriber<BaseEvent> },
  ) {
    this.tap = new ThreadTap(parts.lease, parts.reader);
    this.stopTimer = systemClock.later(JOIN_WITHIN_MS, () => this.tap.fail(refusal('STORE_UNAVAILABLE')));
    this.stopStatus = this.tap.client.onThreadStatus((thread) => {
      if (thread.threadId === threadId && thread.status !== 'running' && thread.status !== 'waiting')
        this.endIfIdle();
    });
    this.tap.follow(threadId, (view, change) => this.heard(view, change));
  }

  /** The thread as it was last told. */
  get model(): Model {
    return this.told ?? emptyModel();
  }

  /** Ends the run that is under way, if any: how it ends is told by the stream. */
  abort(): void {
    const runId = runIdOf(this.model);
    if (this.tap.isOver || runId === undefined || isOver(this.model)) return;
    void this.tap.client.cancel(this.threadId, runId).then((cancelled) => {
      if (!cancelled.ok) this.tap.fail(cancelled.refusal);
    });
  }

  leave(): void {
    this.stopTimer();
    this.stopStatus();
    this.tap.leave();
  }

  private heard(view: ThreadView, change: ThreadChange): void {
    // Nothing to show, for whatever reason: the same for all reasons.
    if (view.phase === 'ended') return this.complete();
    if (this.told === undefined) {
      if (view.phase === 'live') this.begin(view.model);
      return;
    }
    const before = this.told;
    this.told = view.model;
    if (change.kind === 'snapshot') this.tap.say(bridge(before, view.model));
    else if (change.kind === 'events') this.tap.say(change.data.events);
    if (change.kind === 'phase') return;
    if (mayBeAnswered(view.model)) void this.askIfIdle();
    else this.endIfIdle();
  }

  private begin(model: Model): void {
    this.stopTimer();
    this.told = model;
    this.tap.say(prelude(model));
    if (isIdle(model)) void this.askIfIdle();
  }

  /** A run may be admitted and not have begun, which no event tells. */
  private async askIfIdle(): Promise<void> {
    const thread = await this.tap.client.thread(this.threadId);
    if (thread.ok && (thread.value.status === 'running' || thread.value.status === 'waiting')) return;
    this.endIfIdle();
  }

  private endIfIdle(): void {
    if (this.told && isIdle(this.told)) this.complete();
  }

  private complete(): void {
    if (this.tap.isOver) return;
    this.leave();
    this.tap.complete();
  }
}
