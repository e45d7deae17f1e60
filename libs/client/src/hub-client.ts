/** Keeps a position on every followed thread and never loses one. */
import {
  ok,
  refuse,
  type ClientFrameName,
  type Result,
  type ServerFrame,
  type ServerFrames,
  type Surface,
  type TaskView,
} from '@triptych/protocol';
import { systemClock, type Clock } from './adapters/clock.js';
import { FollowedThreads, type ThreadListener } from './adapters/followed-threads.js';
import { InboxFeed, type InboxFilter, type InboxListener } from './adapters/inbox-feed.js';
import { PendingRequests, type Request } from './adapters/pending-requests.js';
import { defaultSocket, SocketLine, type SocketConstructor } from './adapters/socket-line.js';
import {
  afterLoss,
  NO_STREAK,
  wantsFreshToken,
  type ConnectionState,
  type Loss,
  type Streak,
} from './core/connection.js';
import type { CancelReply, RunReply, RunRequest, TaskCall, TaskCallName } from './core/requests.js';
import { SignedOut } from './core/signed-out.js';

export interface HubClientOptions {
  /** Where the hub is: `http(s)://host` or `ws(s)://host`. */
  readonly url: string;
  readonly surface: Surface;
  /** A current token; throws {@link SignedOut} when there is none to be had. `fresh`: the last one did not do. */
  readonly getToken: (need: { readonly fresh: boolean }) => Promise<string>;
  readonly WebSocketImpl?: SocketConstructor;
  readonly clock?: Clock;
  /** In [0, 1). */
  readonly random?: () => number;
  readonly newId?: () => string;
}

export type StateListener = (state: ConnectionState) => void;
export type ThreadStatusListener = (status: ServerFrames['thread']) => void;

const GONE = refuse('STORE_UNAVAILABLE', { message: 'The connection is closed.' });
const LOST_WITHOUT_CODE = 1006;

export class HubClient {
  private readonly clock: Clock;
  private readonly newId: () => string;
  private readonly pending: PendingRequests;
  private readonly threads: FollowedThreads;
  private readonly inboxFeed: InboxFeed;
  private readonly stateListeners = new Set<StateListener>();
  private readonly statusListeners = new Set<ThreadStatusListener>();
  private current: ConnectionState = { state: 'closed', reason: 'stopped' };
  private streak: Streak = NO_STREAK;
  private line: SocketLine | undefined;
  private turn = 0;
  private stopTimer: () => void = () => undefined;

  constructor(private readonly options: HubClientOptions) {
    this.clock = options.clock ?? systemClock;
    this.newId = options.newId ?? (() => globalThis.crypto.randomUUID());
    this.pending = new PendingRequests(this.clock, this.newId);
    const requests = {
      connected: () => this.current.state === 'ready',
      ask: (event: ClientFrameName, data: unknown, answered: (answer: Result<unknown>) => void) =>
        this.ask({ event, data, repeatable: false }, answered),
    };
    this.threads = new FollowedThreads(requests, this.clock);
    this.inboxFeed = new InboxFeed(requests, this.clock);
  }

  get state(): ConnectionState {
    return this.current;
  }

  start(): void {
    if (this.current.state !== 'closed') return;
    this.streak = NO_STREAK;
    this.connect();
  }

  stop(): void {
    this.turn += 1;
    this.stopTimer();
    this.line?.close();
    this.line = undefined;
    this.threads.stop();
    this.inboxFeed.stop();
    this.move({ state: 'closed', reason: 'stopped' });
  }

  /** "Try now", or the network is back. */
  retryNow(): void {
    if (this.current.state === 'waiting') this.connect();
  }

  onState(listener: StateListener): () => void {
    this.stateListeners.add(listener);
    return () => this.stateListeners.delete(listener);
  }

  /** Status changes of all threads this surface is told about. */
  onThreadStatus(listener: ThreadStatusListener): () => void {
    this.statusListeners.add(listener);
    return () => this.statusListeners.delete(listener);
  }

  subscribe(threadId: string, listener: ThreadListener): () => void {
    return this.threads.add(threadId, listener);
  }

  inbox(filter: InboxFilter | undefined, listener: InboxListener): () => void {
    return this.inboxFeed.open(filter, listener);
  }

  /** CLI-10: the ids are ours, so repeating a run after a loss attaches instead of starting a second one. */
  run(input: RunRequest): Promise<Result<RunReply>> {
    const data = { ...input, threadId: input.threadId ?? this.newId(), runId: input.runId ?? this.newId() };
    return this.request<RunReply>({ event: 'run', data, repeatable: true });
  }

  cancel(threadId: string, runId: string): Promise<Result<CancelReply>> {
    return this.request<CancelReply>({ event: 'cancel', data: { threadId, runId }, repeatable: true });
  }

  /** One key a call: a repeat after a loss is the same act, a second press is another. */
  task<N extends TaskCallName>(name: N, call: TaskCall<N>): Promise<Result<TaskView>> {
    const data = { idempotencyKey: this.newId(), ...call };
    return this.request<TaskView>({ event: `task.${name}`, data, repeatable: true });
  }

  private request<T>(request: Request): Promise<Result<T>> {
    if (this.current.state === 'closed') return Promise.resolve(GONE);
    return new Promise((resolve) => this.ask(request, (answer) => resolve(answer as Result<T>)));
  }

  private ask(request: Request, answered: (answer: Result<unknown>) => void): void {
    const frame = this.pending.open(request, answered);
    if (this.current.state === 'ready') this.line?.send(frame);
  }

  private connect(): void {
    const turn = ++this.turn;
    this.stopTimer();
    this.move({ state: 'connecting', attempt: this.streak.attempt });
    this.options.getToken({ fresh: wantsFreshToken(this.streak) }).then(
      (token) => this.open(turn, token),
      (problem: unknown) => this.tokenMissing(turn, problem),
    );
  }

  private open(turn: number, token: string): void {
    if (turn !== this.turn) return;
    const url = `${this.options.url.replace(/^http/, 'ws').replace(/\/$/, '')}/ws/${this.options.surface}`;
    const Socket = this.options.WebSocketImpl ?? defaultSocket();
    this.line = new SocketLine({ Socket, url, token }, this.clock, {
      frame: (frame) => this.heard(frame),
      lost: (loss) => this.lost(loss),
    });
  }

  private tokenMissing(turn: number, problem: unknown): void {
    if (turn !== this.turn) return;
    if (problem instanceof SignedOut) this.end({ state: 'closed', reason: 'signed-out' });
    else this.lost({ code: LOST_WITHOUT_CODE });
  }

  private heard(frame: ServerFrame): void {
    switch (frame.event) {
      case 'ready':
        return this.ready(frame.data);
      case 'reply':
        return this.pending.settle(frame.id, ok(frame.data));
      case 'refused':
        return this.pending.settle(frame.id, { ok: false, refusal: frame.data });
      case 'auth.expiring':
        return this.renewToken();
      case 'thread':
        return [...this.statusListeners].forEach((listener) => listener(frame.data));
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
        // `closing` and `pong`: the line has read what they say.
        return undefined;
    }
  }

  private ready(session: ServerFrames['ready']): void {
    this.streak = NO_STREAK;
    // Repeated before the state is told: a listener that asks anew must not find its request sent twice.
    for (const frame of this.pending.repeatable()) this.line?.send(frame);
    this.move({ state: 'ready', session });
    this.threads.reconnected();
    this.inboxFeed.reconnected();
  }

  /** CLI-9: the connection outlives its token; a failure shows when the hub closes. */
  private renewToken(): void {
    const { turn } = this;
    this.options.getToken({ fresh: true }).then(
      (token) => {
        if (turn === this.turn)
          this.ask({ event: 'auth', data: { token }, repeatable: false }, () => undefined);
      },
      (problem: unknown) => {
        if (turn === this.turn && problem instanceof SignedOut)
          this.end({ state: 'closed', reason: 'signed-out' });
      },
    );
  }

  private lost(loss: Loss): void {
    this.turn += 1;
    this.line = undefined;
    const now = this.clock.now();
    const after = afterLoss(this.streak, loss, { now, chance: (this.options.random ?? Math.random)() });
    this.streak = after.streak;
    if (after.state.state === 'closed') return this.end(after.state);
    this.move(after.state);
    this.pending.dropUnrepeatable();
    this.threads.away();
    this.inboxFeed.away();
    if (after.state.state === 'waiting')
      this.stopTimer = this.clock.later(after.state.retryAt - now, () => this.connect());
  }

  private end(state: ConnectionState): void {
    this.turn += 1;
    this.line?.close();
    this.line = undefined;
    this.move(state);
    this.threads.away();
    this.inboxFeed.away();
  }

  private move(state: ConnectionState): void {
    this.current = state;
    if (state.state === 'closed') this.pending.failAll(GONE);
    for (const listener of [...this.stateListeners]) listener(state);
  }
}
