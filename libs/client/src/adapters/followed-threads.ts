/** The threads a client follows: one track each, shared by its listeners. */
import type { AguiData, Position, Result, ServerFrame, SnapshotData } from '@triptych/protocol';
import {
  asked,
  askFrom,
  joinsAnew,
  newTrack,
  trackAnswered,
  trackAway,
  trackEnded,
  trackEvents,
  trackHead,
  trackRefused,
  trackSnapshot,
  trackUnchanged,
  type ThreadTrack,
  type ThreadView,
  type TrackEffect,
} from '../core/thread-track.js';
import type { Clock } from './clock.js';
import { guarded, Listeners, type Report } from './listeners.js';

/** What a view's change came from: the connection, a snapshot (the model is new), or events (the model grew). */
export type ThreadChange =
  | { readonly kind: 'phase' }
  | { readonly kind: 'snapshot'; readonly data: SnapshotData }
  | { readonly kind: 'events'; readonly data: AguiData };
export type ThreadListener = (view: ThreadView, change: ThreadChange) => void;

/** The frames that are about one followed thread. */
export type ThreadFrame = Extract<ServerFrame, { event: 'snapshot' | 'agui' | 'head' | 'unsubscribed' }>;

export interface ThreadRequests {
  /** Whether frames can be sent at all just now. */
  readonly connected: () => boolean;
  readonly ask: (
    event: 'subscribe' | 'unsubscribe',
    data: unknown,
    answered: (answer: Result<unknown>) => void,
  ) => void;
}

export interface FollowTools {
  readonly clock: Clock;
  readonly random: () => number;
  readonly report: Report;
}

interface Followed {
  track: ThreadTrack;
  readonly listeners: Listeners<readonly [ThreadView, ThreadChange]>;
  stopTimer: () => void;
}

const PHASE: ThreadChange = { kind: 'phase' };

export class FollowedThreads {
  private readonly threads = new Map<string, Followed>();

  constructor(
    private readonly requests: ThreadRequests,
    private readonly tools: FollowTools,
  ) {}

  add(threadId: string, listener: ThreadListener): () => void {
    const followed = this.threads.get(threadId) ?? this.begin(threadId);
    if (followed.track.view.phase === 'ended') this.beginAnew(threadId, followed);
    const leave = followed.listeners.add(([view, change]) => listener(view, change));
    guarded(() => listener(followed.track.view, PHASE), this.tools.report);
    return () => {
      leave();
      if (followed.listeners.size === 0) this.end(threadId, followed);
    };
  }

  /** A new connection: every thread goes on from its own place. */
  reconnected(): void {
    for (const [threadId, followed] of this.threads) {
      if (followed.track.view.phase !== 'ended') this.ask(threadId, followed);
    }
  }

  away(): void {
    for (const followed of this.threads.values()) this.move(followed, trackAway(followed.track), PHASE);
  }

  frame(frame: ThreadFrame): void {
    const followed = this.threads.get(frame.data.threadId);
    if (followed === undefined) return;
    if (frame.event === 'snapshot') {
      const { data } = frame;
      this.move(followed, trackSnapshot(followed.track, data), { kind: 'snapshot', data });
    } else if (frame.event === 'agui') {
      const { track, effect } = trackEvents(followed.track, frame.data);
      const fits = track.view.pos === frame.data.pos;
      this.move(followed, track, fits ? { kind: 'events', data: frame.data } : PHASE);
      this.carryOut(frame.data.threadId, followed, effect);
    } else if (frame.event === 'head') {
      const { track, effect } = trackHead(followed.track, frame.data.pos);
      this.move(followed, track, PHASE);
      this.carryOut(frame.data.threadId, followed, effect);
    } else if (frame.event === 'unsubscribed') {
      this.move(followed, trackEnded(followed.track, frame.data.code), PHASE);
    }
  }

  private begin(threadId: string): Followed {
    const followed: Followed = {
      track: newTrack(threadId),
      listeners: new Listeners(this.tools.report),
      stopTimer: () => undefined,
    };
    this.threads.set(threadId, followed);
    if (this.requests.connected()) this.ask(threadId, followed);
    return followed;
  }

  /** CLI-24: what was refused once may be there now; whoever comes asks again. */
  private beginAnew(threadId: string, followed: Followed): void {
    this.move(followed, newTrack(threadId), PHASE);
    if (this.requests.connected()) this.ask(threadId, followed);
  }

  private end(threadId: string, followed: Followed): void {
    if (this.threads.get(threadId) !== followed) return;
    followed.stopTimer();
    this.threads.delete(threadId);
    if (this.requests.connected()) this.requests.ask('unsubscribe', { threadId }, () => undefined);
  }

  private ask(threadId: string, followed: Followed): void {
    followed.stopTimer();
    const from = askFrom(followed.track);
    // CLI-40: of a thread that is followed already, a subscribe without a position changes nothing.
    if (joinsAnew(followed.track)) this.requests.ask('unsubscribe', { threadId }, () => undefined);
    this.move(followed, asked(followed.track), PHASE);
    const data = from === undefined ? { threadId } : { threadId, from };
    this.requests.ask('subscribe', data, (answer) => {
      if (this.threads.get(threadId) === followed) this.answered(threadId, followed, answer);
    });
  }

  private answered(threadId: string, followed: Followed, answer: Result<unknown>): void {
    if (!answer.ok) {
      const { track, effect } = trackRefused(followed.track, answer.refusal, this.tools.random());
      this.move(followed, track, PHASE);
      this.carryOut(threadId, followed, effect);
      return;
    }
    const { pos } = answer.value as { pos?: Position };
    const same = pos !== undefined && pos === followed.track.view.pos;
    this.move(followed, same ? trackUnchanged(followed.track) : trackAnswered(followed.track), PHASE);
  }

  private carryOut(threadId: string, followed: Followed, effect: TrackEffect): void {
    if (effect.do === 'nothing' || !this.requests.connected()) return;
    // Its last listener may have left over what it was just told.
    if (this.threads.get(threadId) !== followed) return;
    if (effect.afterMs === 0) return this.ask(threadId, followed);
    followed.stopTimer();
    followed.stopTimer = this.tools.clock.later(effect.afterMs, () => {
      if (this.requests.connected()) this.ask(threadId, followed);
    });
  }

  private move(followed: Followed, track: ThreadTrack, change: ThreadChange): void {
    const changed = followed.track.view !== track.view;
    followed.track = track;
    if (changed) followed.listeners.tell([track.view, change]);
  }
}
