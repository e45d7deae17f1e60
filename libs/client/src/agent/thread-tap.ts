/** Follows one thread for one reader of an observable, and says there what it is told to say. */
import type { BaseEvent } from '@ag-ui/client';
import type { AguiEvent, Refusal } from '@triptych/protocol';
import type { Subscriber } from 'rxjs';
import type { ThreadListener } from '../adapters/followed-threads.js';
import { closedRefusal, type ConnectionState } from '../core/connection.js';
import type { HubClient } from '../hub-client.js';
import type { ClientLease } from './client-lease.js';
import { HubRefused } from './hub-refused.js';

export class ThreadTap {
  readonly client: HubClient;
  private readonly giveBack: () => void;
  private readonly stopWatching: () => void;
  private stopFollowing: () => void = () => undefined;
  private left = false;

  constructor(
    lease: ClientLease,
    private readonly reader: Subscriber<BaseEvent>,
  ) {
    this.client = lease.client;
    this.giveBack = lease.take();
    this.stopWatching = this.client.onState((state) => this.connection(state));
    this.connection(this.client.state);
  }

  get isOver(): boolean {
    return this.left;
  }

  /** Follows from now on; whom it followed before is left. */
  follow(threadId: string, heard: ThreadListener): void {
    this.stopFollowing();
    if (this.left) return;
    const stop = this.client.subscribe(threadId, (view, change) => {
      if (!this.left) heard(view, change);
    });
    // The first view comes before `subscribe` returns, and may be all that was wanted.
    if (this.left) stop();
    else this.stopFollowing = stop;
  }

  /** The reader gets events of its own: what it does to them is nobody else's business. */
  say(events: readonly AguiEvent[]): void {
    for (const event of events) {
      if (this.left) return;
      this.reader.next(structuredClone(event) as unknown as BaseEvent);
    }
  }

  complete(): void {
    this.leave();
    this.reader.complete();
  }

  fail(no: Refusal): void {
    if (this.left) return;
    this.leave();
    this.reader.error(new HubRefused(no));
  }

  leave(): void {
    if (this.left) return;
    this.left = true;
    this.stopFollowing();
    this.stopWatching();
    this.giveBack();
  }

  private connection(state: ConnectionState): void {
    if (state.state === 'closed') this.fail(closedRefusal(state.reason));
  }
}
