/** Answers the frames of one socket: its own ones here, all others by the hub's handlers. */
import {
  asThreadId,
  isPrintableId,
  isStoreAway,
  ok,
  refuse,
  type CloseReason,
  type Result,
} from '@triptych/protocol';
import type { KnownFrame } from '../core/client-frame.js';
import type { HandledFrame, OwnFrame } from '../core/own-frames.js';
import type { Report } from '../core/ports.js';
import type { Answer, Subscriptions } from './subscriptions.js';

export type Data = Readonly<Record<string, unknown>>;
/** A refusal may be the last thing a session says. */
export type Answered<T> = Result<T> & { readonly thenClose?: CloseReason };
export type Handle = (event: HandledFrame, frame: KnownFrame) => Promise<Answered<unknown>>;

/** When the store is away nothing helps sooner. */
const STORE_RETRY_MS = 1_000;

export class FrameAnswers {
  private failures = 0;

  constructor(
    private readonly session: string,
    private readonly subscriptions: Subscriptions,
    private readonly tools: { readonly handle: Handle; readonly report: Report },
  ) {}

  async own(frame: OwnFrame): Promise<Result<Answer>> {
    switch (frame.kind) {
      case 'ping':
        return ok({ reply: {} });
      case 'ack':
        this.subscriptions.ack(frame.thread, frame.pos);
        return ok({ reply: {} });
      case 'unsubscribe':
        this.subscriptions.unsubscribe(frame.thread);
        return ok({ reply: {} });
      case 'subscribe':
        return this.guarded(() => this.subscriptions.subscribe(frame.thread, frame.from));
    }
  }

  async handled(event: HandledFrame, frame: KnownFrame): Promise<Answered<Answer>> {
    const release = event === 'run' ? this.holdFor(frame.data) : undefined;
    const answer = await this.guarded(async (): Promise<Answered<Answer>> => {
      const handled = await this.tools.handle(event, frame);
      return handled.ok ? ok({ reply: handled.value }) : handled;
    });
    if (!answer.ok) release?.();
    return answer.ok && release !== undefined ? ok({ ...answer.value, afterwards: release }) : answer;
  }

  /** Whoever starts a run learns of it by the reply, before any event of it. */
  private holdFor({ threadId }: Data): (() => void) | undefined {
    return isPrintableId(threadId) ? this.subscriptions.hold(asThreadId(threadId)) : undefined;
  }

  private async guarded(work: () => Promise<Answered<Answer>>): Promise<Answered<Answer>> {
    try {
      return await work();
    } catch (error) {
      if (isStoreAway(error)) return refuse('STORE_UNAVAILABLE', { retryAfterMs: STORE_RETRY_MS });
      this.failures += 1;
      const correlationId = `${this.session}-${this.failures}`;
      this.tools.report(`frame ${correlationId}`, error);
      return refuse('INTERNAL', { details: { correlationId } });
    }
  }
}
