/** Takes in what agents push: judges it against what is stored, and stores it exactly once, whichever hub it came to. */
import { isStoreAway, refuse, type Result, type ThreadId } from '@triptych/protocol';
import { comesByItself, type RunAgent } from '../core/ports.js';
import { courseOf } from '../core/push-course.js';
import { placeOf, type PushAnswer, type PushRequest } from '../core/push-batch.js';
import type { PushNow } from '../core/push-store.js';
import { LeaseLost } from './grace.js';
import { nextLapse } from '../core/push-hold.js';
import { deskFor, type PushDeps, type PushDesk } from './push-desk.js';
import { endIfLapsed, type Looked } from './push-lapse.js';
import { PushLines } from './push-lines.js';
import { PushOffers } from './push-offers.js';
import { OrderedPush, PushOrdering } from './push-ordering.js';
import { isAnothers, standingOf, type PushAt } from './push-standing.js';
import { PushSteps, type Stepped } from './push-steps.js';
import { PushTally } from './push-tally.js';
import { PushTimers } from './push-timers.js';
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

interface Stepping {
  /** Grows as long as it comes further. */
  readonly done: number;
  readonly request: PushRequest;
}

export class PushIntake {
  /** In the order they were used last. */
  private readonly desks = new Map<ThreadId, PushDesk>();
  private readonly lines = new PushLines();
  readonly offers: PushOffers;
  private readonly steps: PushSteps;

  private readonly ordering: PushOrdering;
  private readonly timers = new PushTimers();
  private readonly lapses = new PushTimers();

  constructor(private readonly deps: PushDeps) {
    this.steps = new PushSteps(deps);
    this.offers = new PushOffers({ ...deps, onTaken: (taking, ms) => this.lookIn(ms, taking) });
    this.ordering = new PushOrdering(deps, {
      deskOf: (now, request) => this.deskOf(now, request),
      goOn: (at) => this.goOn(at),
      refuse: (at, item, what) => this.steps.refuse(at, item, what),
      answered: (at) => this.lookAt(at),
      await: (request, ms) => this.timers.in(ms, request.thread, () => void this.moveOn(request)),
    });
  }

  /** What one thread is pushed is taken in the order it came. */
  async push(request: PushRequest): Promise<Result<PushAnswer>> {
    const pushed = await this.lines.in(request.thread, () => this.take(request));
    return pushed ?? refuse('RATE_LIMITED', { retryAfterMs: RETRY_MS });
  }

  /** In the order of their positions; those before which one is missing wait for it. */
  async pushInOrder(request: Omit<PushRequest, 'producer'>): Promise<Result<PushAnswer>> {
    const pushed = await this.lines.in(request.thread, () => this.takeInOrder(request));
    return pushed ?? refuse('RATE_LIMITED', { retryAfterMs: RETRY_MS });
  }

  /** Ends the pushed runs whose agent was silent for too long; answers how many. */
  async mourn(agentOf: (agentId: string) => RunAgent | undefined): Promise<number> {
    let ended = 0;
    for (const thread of await this.deps.pushes.due(MAX_LOOKS))
      if (await this.look(thread, agentOf)) ended += 1;
    return ended;
  }

  /** RUN-29: what is wrong with one thread is no reason to leave the others waiting. */
  private async look(thread: ThreadId, agentOf: (agentId: string) => RunAgent | undefined): Promise<boolean> {
    try {
      const looked = await this.lines.in(thread, () => this.end(thread, agentOf));
      await this.lookAfterOrder(thread, agentOf);
      return looked?.ended === true;
    } catch (error) {
      if (isStoreAway(error)) throw error;
      this.deps.report('push.mourning-failed', { thread, error });
      await this.deps.pushes.watch(thread);
      return false;
    }
  }

  /** What waits on a thread whose hub is no more. */
  private async lookAfterOrder(
    thread: ThreadId,
    agentOf: (agentId: string) => RunAgent | undefined,
  ): Promise<void> {
    const { waiting } = await this.deps.pushes.waitingIn(thread);
    const known = waiting.length > 0 ? await this.deps.ledger.thread(thread) : undefined;
    const agent = known && agentOf(known.agentId);
    if (!known || !agent || !comesByItself(agent)) return;
    await this.moveOn({ thread, agent, tenant: known.tenant, subject: agent.id, at: '' });
  }

  /** Stores what has waited long enough; what cannot be stored now is looked at again. */
  private async moveOn(about: Omit<PushRequest, 'producer' | 'items'>): Promise<void> {
    const { thread, agent, tenant, subject, at } = about;
    try {
      const request = { thread, agent, tenant, subject, at, items: [] };
      const moved = await this.lines.in(thread, () => this.takeInOrder(request));
      if (!moved?.ok) await this.deps.pushes.watch(thread);
    } catch (error) {
      this.deps.report('push.order-waits', { thread, error });
    }
  }

  /** Its run ends in time here, where the agent is listened to; of all others the worker knows. */
  private lookAt({ tally: { request }, now: { now, active } }: Pick<PushAt, 'tally' | 'now'>): void {
    if (active?.hold) this.lookIn(nextLapse(active.hold) - now, request);
  }

  private lookIn(ms: number, about: Pick<PushRequest, 'thread' | 'agent'>): void {
    this.lapses.in(ms, about.thread, () => void this.endInTime(about));
  }

  private async endInTime(about: Pick<PushRequest, 'thread' | 'agent'>): Promise<void> {
    const { thread, agent } = about;
    try {
      const looked = await this.lines.in(thread, () => this.end(thread, () => agent));
      if (looked?.next !== undefined) this.lookIn(looked.next, about);
    } catch (error) {
      this.deps.report('push.end-waits', { thread, error });
    }
  }

  private async end(thread: ThreadId, agentOf: (id: string) => RunAgent | undefined): Promise<Looked> {
    try {
      return await endIfLapsed(this.deps, thread, agentOf);
    } catch (error) {
      if (error instanceof Unsure) throw error.cause;
      // Somebody spoke for it in the last moment.
      if (error instanceof Outrun || error instanceof LeaseLost) return { ended: false, next: RETRY_MS };
      throw error;
    }
  }

  private take(request: PushRequest): Promise<Result<PushAnswer>> {
    const tally = new PushTally(request);
    return this.stepThrough(tally, () => this.step(tally));
  }

  private takeInOrder(request: Omit<PushRequest, 'producer'>): Promise<Result<PushAnswer>> {
    const push = new OrderedPush(request);
    return this.stepThrough(push, () => this.ordering.step(push));
  }

  private async stepThrough(push: Stepping, step: () => Promise<Stepped>): Promise<Result<PushAnswer>> {
    let outrun = 0;
    while (outrun < MAX_OUTRUN) {
      const before = push.done;
      const stepped = await this.tryStep(push, step);
      if (stepped.is === 'over') return stepped.answer;
      outrun = push.done === before ? outrun + 1 : 0;
    }
    return refuse('RATE_LIMITED', { retryAfterMs: RETRY_MS });
  }

  private async tryStep({ request }: Stepping, step: () => Promise<Stepped>): Promise<Stepped> {
    try {
      return await step();
    } catch (error) {
      this.desks.delete(request.thread);
      if (error instanceof Unsure) throw error.cause;
      if (error instanceof Outrun || error instanceof LeaseLost) return { is: 'outrun' };
      throw error;
    }
  }

  private async step(tally: PushTally): Promise<Stepped> {
    const { request } = tally;
    const { thread, producer, items } = request;
    const now = await this.deps.pushes.read(thread, producer.id);
    if (isAnothers(now, request)) return over(refuse('NOT_FOUND'));
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

  private async goOn(at: PushAt): Promise<Stepped> {
    const { tally, now } = at;
    const next = tally.request.items[tally.done];
    if (!next) return this.finish(at);
    const course = courseOf(next, await standingOf(this.deps, at));
    if (!now.thread && course !== 'begin') return over(refuse('NOT_FOUND'));
    return this.steps.take(course, at, next);
  }

  /** A push without events says that its producer is at work. */
  private async finish(at: PushAt): Promise<Stepped> {
    const { tally, now, desk } = at;
    if (!now.thread) return over(refuse('NOT_FOUND'));
    if (tally.request.items.length === 0) await this.steps.heard(at);
    this.lookAt(at);
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
