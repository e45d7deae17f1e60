/** Keeps a position on every followed thread and never loses one. */
import {
  ok,
  type BulkReply,
  type ClientFrameName,
  type Result,
  type RunSummary,
  type ServerFrame,
  type ServerFrames,
  type Surface,
  type TaskView,
  type ThreadSummary,
} from '@triptych/protocol';
import { systemClock, type Clock } from './adapters/clock.js';
import { FollowedThreads, type ThreadListener } from './adapters/followed-threads.js';
import { httpOf, hubReads, type HubReads } from './adapters/hub-reads.js';
import { InboxFeed, type InboxFilter, type InboxListener } from './adapters/inbox-feed.js';
import { doorOf, LastingLine } from './adapters/lasting-line.js';
import { Listeners, reportUncaught } from './adapters/listeners.js';
import { PendingRequests, type Request } from './adapters/pending-requests.js';
import { randomId } from './adapters/random-id.js';
import { defaultSocket, type SocketConstructor } from './adapters/socket-line.js';
import type { TokenSource } from './adapters/token-source.js';
import { isPage, whyNot, type WhyNot } from './adapters/why-not.js';
import { closedRefusal, type ConnectionState } from './core/connection.js';
import type { BulkItem, CancelReply, RunReply, RunRequest, TaskCall, TaskCallName } from './core/requests.js';

export interface HubClientOptions {
  /** Where the hub is: `http(s)://host[/path]` or `ws(s)://host[/path]`. */
  readonly url: string;
  /** Which of the three views of a thread this client reads; the token's roles must open it. */
  readonly surface: Surface;
  /**
   * A current token. `fresh`: the last one did not do, or is about to end. Throws {@link SignedOut} when there is
   * none to be had: the client closes. Any other error is tried again with the connection.
   */
  readonly getToken: TokenSource;
  /** Node before 22 has no WebSocket of its own: give that of `ws`. */
  readonly WebSocketImpl?: SocketConstructor;
  /** Gets the errors listeners throw. Default: they are thrown again, as uncaught ones, after the others have heard. */
  readonly report?: (error: unknown) => void;
  /** For tests. */
  readonly clock?: Clock;
  /** For tests: in [0, 1). */
  readonly random?: () => number;
  /** For tests. */
  readonly newId?: () => string;
  /** For tests. */
  readonly whyNot?: WhyNot;
}

export type StateListener = (state: ConnectionState) => void;
export type ThreadStatusListener = (status: ServerFrames['thread']) => void;

/**
 * One connection to the hub, kept over losses, for any number of threads.
 *
 * Nothing here rejects for what a network does: answers are `{ ok: true, value }` or `{ ok: false, refusal }`, where
 * `refusal` is `{ code, message, next, retryAfterMs?, details? }` (`docs/codes.md`). The constructor throws `TypeError`
 * for an address that is none, and `Error` where there is no WebSocket.
 */
export class HubClient {
  private readonly newId: () => string;
  private readonly line: LastingLine;
  private readonly reads: HubReads;
  private readonly pending: PendingRequests;
  private readonly threads: FollowedThreads;
  private readonly inboxFeed: InboxFeed;
  private readonly stateListeners: Listeners<ConnectionState>;
  private readonly statusListeners: Listeners<ServerFrames['thread']>;

  constructor(options: HubClientOptions) {
    const { url, surface, getToken } = options;
    const { clock = systemClock, random = Math.random, report = reportUncaught, newId = randomId } = options;
    this.newId = newId;
    this.reads = hubReads(url, getToken);
    const Socket = options.WebSocketImpl ?? defaultSocket();
    const { whyNot: ask = isPage() ? whyNot(httpOf(url), surface, getToken) : undefined } = options;
    this.line = new LastingLine(
      { door: doorOf(url, surface), Socket, getToken, clock, random, whyNot: ask },
      { moved: (state) => this.moved(state), frame: (frame) => this.heard(frame) },
    );
    const send = (text: string): void => this.line.send(text);
    this.pending = new PendingRequests({ clock, newId, random, send, limits: () => this.limits() });
    const requests = {
      connected: () => this.state.state === 'ready',
      ask: (event: ClientFrameName, data: unknown, answered: (answer: Result<unknown>) => void) =>
        this.pending.open({ event, data, repeatable: false }, answered),
    };
    this.threads = new FollowedThreads(requests, { clock, random, report });
    this.inboxFeed = new InboxFeed(requests, { clock, random, report });
    this.stateListeners = new Listeners(report);
    this.statusListeners = new Listeners(report);
  }

  get state(): ConnectionState {
    return this.line.state;
  }

  /** Connects, and goes on connecting. What is followed already goes on from its place. */
  start(): void {
    this.line.start();
  }

  /** Closes, and answers what is pending with a refusal. Listeners stay; `start` goes on where it was. */
  stop(): void {
    this.line.stop();
  }

  /**
   * "Try now": does not wait for the next try, and lets a connection that seems well prove that it is. In browsers the
   * client does this by itself when the page is online again or shown again.
   */
  retryNow(): void {
    this.line.wake();
  }

  /** Calls `listener` at every change of {@link state}. The answer ends it. */
  onState(listener: StateListener): () => void {
    return this.stateListeners.add(listener);
  }

  /** Status changes of all threads this surface is told about. The answer ends it. */
  onThreadStatus(listener: ThreadStatusListener): () => void {
    return this.statusListeners.add(listener);
  }

  /**
   * Follows a thread. `listener` is called at once, before this returns, and with every change; it gets the thread's
   * whole model, so whoever missed a call missed nothing. May be called before the client is connected or started.
   * The answer ends it; the last listener to leave ends the subscription.
   */
  subscribe(threadId: string, listener: ThreadListener): () => void {
    return this.threads.add(threadId, listener);
  }

  /** Follows the tasks that await a decision; `limit`: how many at first. One inbox a client: a further call replaces the former. */
  inbox(filter: InboxFilter | undefined, listener: InboxListener, limit?: number): () => void {
    return this.inboxFeed.open(filter, listener, limit);
  }

  /**
   * Starts a run, or answers the questions of one (`resume`). Does not subscribe. Repeated by itself over losses:
   * CLI-10: the ids are given before it is sent, so a repeat attaches instead of starting a second run.
   */
  run(input: RunRequest): Promise<Result<RunReply>> {
    const data = { ...input, threadId: input.threadId ?? this.newId(), runId: input.runId ?? this.newId() };
    return this.request<RunReply>({ event: 'run', data, repeatable: true });
  }

  /** Ends a run. That it has ended is told by its thread, not by the answer. */
  cancel(threadId: string, runId: string): Promise<Result<CancelReply>> {
    return this.request<CancelReply>({ event: 'cancel', data: { threadId, runId }, repeatable: true });
  }

  /** One key a call: a repeat after a loss is the same act, a second press is another. */
  task<N extends TaskCallName>(name: N, call: TaskCall<N>): Promise<Result<TaskView>> {
    const data = { idempotencyKey: this.newId(), ...call };
    return this.request<TaskView>({ event: `task.${name}`, data, repeatable: true });
  }

  /** Many decisions in one request over HTTP, at most 100: each has a result of its own, in the order given. */
  decideAll(items: readonly BulkItem[]): Promise<Result<BulkReply>> {
    return this.reads.decideAll(items, this.newId());
  }

  /** Where a thread stands, asked once over HTTP, without following it. */
  thread(threadId: string): Promise<Result<ThreadSummary>> {
    return this.reads.thread(threadId);
  }

  /** How a run stands or ended, asked once over HTTP. */
  runSummary(threadId: string, runId: string): Promise<Result<RunSummary>> {
    return this.reads.run(threadId, runId);
  }

  private request<T>(request: Request): Promise<Result<T>> {
    const { state } = this;
    if (state.state === 'closed') return Promise.resolve({ ok: false, refusal: closedRefusal(state.reason) });
    return new Promise((resolve) => this.pending.open(request, (answer) => resolve(answer as Result<T>)));
  }

  private limits(): Readonly<Record<string, number>> {
    const { state } = this;
    return state.state === 'ready' ? state.session.limits : {};
  }

  private moved(state: ConnectionState): void {
    if (state.state === 'ready') return this.ready(state);
    if (state.state === 'closed') this.pending.failAll(closedRefusal(state.reason));
    else this.pending.dropUnrepeatable();
    this.threads.away();
    this.inboxFeed.away();
    this.stateListeners.tell(state);
  }

  /** Repeated before the state is told: a listener that asks anew must not find its request sent twice. */
  private ready(state: ConnectionState): void {
    this.pending.repeat();
    this.stateListeners.tell(state);
    // A listener may have stopped the client.
    if (this.state !== state) return;
    this.threads.reconnected();
    this.inboxFeed.reconnected();
  }

  private heard(frame: ServerFrame): void {
    switch (frame.event) {
      case 'reply':
        return this.pending.settle(frame.id, ok(frame.data));
      case 'refused':
        return this.pending.settle(frame.id, { ok: false, refusal: frame.data });
      case 'auth.expiring':
        return void this.renewToken();
      case 'thread':
        return this.statusListeners.tell(frame.data);
      case 'snapshot':
      case 'agui':
      case 'head':
      case 'unsubscribed':
        return this.threads.frame(frame);
      case 'task':
      case 'counts':
      case 'inbox.reset':
        return this.inboxFeed.frame(frame);
      default:
        // `ready`, `closing` and `pong`: the line has read what they say.
        return undefined;
    }
  }

  /** CLI-9: the connection outlives its token; a failure shows when the hub closes. */
  private async renewToken(): Promise<void> {
    const token = await this.line.renewedToken();
    if (token === undefined) return;
    this.pending.open({ event: 'auth', data: { token }, repeatable: false }, () => undefined);
  }
}
