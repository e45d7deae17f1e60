/** Takes in what agents push: judges it against what is stored, and stores it exactly once, whichever hub it came to. */
import { refuse, type Result, type ThreadId } from '@triptych/protocol';
import type { RunAgent } from '../core/ports.js';
import { courseOf } from '../core/push-course.js';
import { placeOf, type PushAnswer, type PushRequest } from '../core/push-batch.js';
import type { PushNow } from '../core/push-store.js';
import { LeaseLost } from './grace.js';
import { deskFor, type PushDeps, type PushDesk } from './push-desk.js';
import { endIfLapsed } from './push-lapse.js';
import { PushLines } from './push-lines.js';
import { PushOffers } from './push-offers.js';
import { standingOf } from './push-standing.js';
import { PushSteps, type Stepped } from './push-steps.js';
import { PushTally } from './push-tally.js';
import { Outrun, Unsure } from './versioned-log.js';

/** Threads this hub remembers; of others it folds the log again. */
const MAX_DESKS = 64;
/** Tries without having come further, before whoever pushed is asked to come again. */
const MAX_OUTRUN = 50;
const RETRY_MS = 500;
/** Producers a thread remembers before it forgets the oldest of them. */
const MAX_PRODUCERS = 300;
/** Runs looked at in one round. */
const MAX_LOOKS = 200;

export class PushIntake {
  /** In the order they were used last. */
  private readonly desks = new Map<ThreadId, PushDesk>();
  private readonly lines = new PushLines();
  readonly offers: PushOffers;
  private readonly steps: PushSteps;

  constructor(private readonly deps: PushDeps) {
    this.steps = new PushSteps(deps);
    this.offers = new PushOffers(deps);
  }

  /** What one thread is pushed is taken in the order it came. */
  async push(request: PushRequest): Promise<Result<PushAnswer>> {
    const pushed = await this.lines.in(request.thread, () => this.take(request));
    return pushed ?? refuse('RATE_LIMITED', { retryAfterMs: RETRY_MS });
  }

  /** Ends the pushed runs whose agent was silent for too long; answers how many. */
  async mourn(agentOf: (agentId: string) => RunAgent | undefined): Promise<number> {
    let ended = 0;
    for (const thread of await this.deps.pushes.due(MAX_LOOKS)) {
      const isEnded = await this.lines.in(thread, () => this.end(thread, agentOf));
      if (isEnded) ended += 1;
    }
    return ended;
  }

  private async end(thread: ThreadId, agentOf: (id: string) => RunAgent | undefined): Promise<boolean> {
    try {
      return await endIfLapsed(this.deps, thread, agentOf);
    } catch (error) {
      if (error instanceof Unsure) throw error.cause;
      // Somebody spoke for it in the last moment.
      if (error instanceof Outrun || error instanceof LeaseLost) return false;
      throw error;
    }
  }

  private async take(request: PushRequest): Promise<Result<PushAnswer>> {
    const tally = new PushTally(request);
    let outrun = 0;
    while (outrun < MAX_OUTRUN) {
      const before = tally.done;
      const stepped = await this.tryStep(tally);
      if (stepped.is === 'over') return stepped.answer;
      outrun = tally.done === before ? outrun + 1 : 0;
    }
    return refuse('RATE_LIMITED', { retryAfterMs: RETRY_MS });
  }

  private async tryStep(tally: PushTally): Promise<Stepped> {
    try {
      return await this.step(tally);
    } catch (error) {
      this.desks.delete(tally.request.thread);
      if (error instanceof Unsure) throw error.cause;
      if (error instanceof Outrun || error instanceof LeaseLost) return { is: 'outrun' };
      throw error;
    }
  }

  private async step(tally: PushTally): Promise<Stepped> {
    const { request } = tally;
    const { thread, producer, items } = request;
    const now = await this.deps.pushes.read(thread, producer.id);
    if (now.thread && (now.thread.tenant !== request.tenant || now.thread.agentId !== request.agent.id))
      return over(refuse('NOT_FOUND'));
    const place = placeOf(now.producer, producer, items.length);
    if (place.status === 'fenced')
      return over(refuse('PRODUCER_FENCED', { details: { epoch: place.epoch } }));
    if (place.status === 'gap')
      return over(refuse('PRODUCER_GAP', { details: { expected: place.expected } }));
    tally.knownUpTo(place.known);
    if (!now.producer && now.producers > MAX_PRODUCERS) await this.forgetProducers(thread);
    const desk = await this.deskOf(now, request);
    return this.goOn({ tally, now, desk });
  }

  /** Those that have been silent for longest; what they would repeat now would be taken for new. */
  private async forgetProducers(thread: ThreadId): Promise<void> {
    const riders = await this.deps.pushes.forgetProducers(thread);
    if (riders.length > 0) await this.deps.log.append({ thread, events: [], riders });
  }

  private async goOn(at: { tally: PushTally; now: PushNow; desk: PushDesk }): Promise<Stepped> {
    const { tally, now } = at;
    const next = tally.request.items[tally.done];
    if (!next) return this.finish(at);
    const course = courseOf(next, await standingOf(this.deps, at));
    if (!now.thread && course !== 'begin') return over(refuse('NOT_FOUND'));
    return this.steps.take(course, at, next);
  }

  /** A push without events says that its producer is at work. */
  private async finish(at: { tally: PushTally; now: PushNow; desk: PushDesk }): Promise<Stepped> {
    const { tally, now, desk } = at;
    if (!now.thread) return over(refuse('NOT_FOUND'));
    if (tally.request.items.length === 0) await this.steps.heard(at);
    const { epoch, head } = desk.log.place;
    return over(tally.answer(`${epoch}:${head}`));
  }

  private async deskOf(now: PushNow, { thread, agent }: PushRequest): Promise<PushDesk> {
    const desk = await deskFor(this.deps, { thread, now, agent }, this.desks.get(thread));
    // Taken out first: a map keeps the order in which its members came in.
    this.desks.delete(thread);
    this.desks.set(thread, desk);
    const [oldest] = this.desks.keys();
    if (this.desks.size > MAX_DESKS && oldest !== undefined) this.desks.delete(oldest);
    return desk;
  }
}

const over = (answer: Result<PushAnswer>): Stepped => ({ is: 'over', answer });
