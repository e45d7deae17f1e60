/** Offers runs to agents that come by themselves: the first socket to take one gets its input, once. */
import { ok, refuse, type Result, type RunAgentInput, type ThreadId } from '@triptych/protocol';
import { inputFor } from '../core/compose-input.js';
import type { RunLedger } from '../core/ledger.js';
import type { Closings, LogToWrite, PushAgent, Rider } from '../core/ports.js';
import { begunAt, CANCEL_MS, heardAt, nextLapse, offeredAt, VOUCH_MS } from '../core/push-hold.js';
import type { AgentNews, HeldPush, PushNow, PushOrder, PushStore } from '../core/push-store.js';
import { foldThread } from './fold-thread.js';

interface OffersDeps {
  readonly log: LogToWrite;
  readonly ledger: Pick<RunLedger, 'run'>;
  readonly closings: Pick<Closings, 'sentFor' | 'stands'>;
  readonly pushes: PushStore;
  /** Its run is to be looked at after so many ms. */
  readonly onTaken?: (taking: Taking, ms: number) => void;
}

export interface Offer {
  readonly news: AgentNews;
  readonly agent: PushAgent;
  readonly order: PushOrder;
}

export interface Taking {
  readonly thread: ThreadId;
  readonly runId: string;
  readonly tenant: string;
  readonly agent: PushAgent;
  readonly socket: string;
}

export interface MoreTime {
  /** Milliseconds. */
  readonly ms: number;
  readonly agent: PushAgent;
}

/** A producer's record is of no interest here. */
const NO_PRODUCER = '';
/** Tries of a stop, or of more time, while the agent goes on pushing; after them it must be asked for again. */
const MAX_STOPS = 20;

export class PushOffers {
  constructor(private readonly deps: OffersDeps) {}

  /** For the step that admits the run. */
  async riders({ news, agent, order }: Offer): Promise<readonly Rider[]> {
    const { pushes } = this.deps;
    await pushes.watch(news.thread);
    const hold = { run: news.runId, ...offeredAt(await pushes.now(), agent.timeouts) };
    await pushes.noteOffer(news, hold.due);
    return pushes.admissionRiders(hold, news, order);
  }

  /** What is on offer to an agent now, for a socket that comes later than the offer. */
  open(tenant: string, agentId: string): ReturnType<PushStore['offersTo']> {
    return this.deps.pushes.offersTo(tenant, agentId);
  }

  /** Work starts on this answer alone, and it is never given twice. */
  async take(taking: Taking): Promise<Result<{ readonly input: RunAgentInput }>> {
    const { thread, runId, agent } = taking;
    const now = await this.deps.pushes.read(thread, NO_PRODUCER);
    const held = heldIn(now, runId);
    if (!isTakersThread(now, taking)) return refuse('NOT_FOUND');
    const order = held && isFree(held) ? await this.deps.pushes.orderOf(thread) : undefined;
    if (!held || !order) return refuse('CLAIM_LOST');
    const resumes = (await this.deps.ledger.run(thread, runId))?.resumes;
    if (resumes !== undefined && !(await this.deps.closings.stands(resumes))) {
      await this.withdraw(taking, held, now.now);
      return refuse('CLAIM_LOST');
    }
    const { model } = await foldThread(this.deps.log, thread);
    const { input } = inputFor({ threadId: thread, runId, ...order }, model);
    const hold = {
      ...begunAt(now.now, agent.timeouts, held.hold.ends),
      socket: { id: taking.socket, until: now.now + VOUCH_MS },
    };
    // RUN-59: what is told of a resume with the step that gives it away.
    const sent = resumes === undefined ? [] : await this.deps.closings.sentFor(resumes);
    const riders = [...this.deps.pushes.takenRiders(thread, hold), ...sent];
    if (!(await this.hold(thread, held, riders))) return refuse('CLAIM_LOST');
    this.deps.onTaken?.(taking, nextLapse(hold) - now.now);
    return ok({ input });
  }

  /** It ends as if nobody had come for it, so that its answers are judged anew before they are offered again. */
  private async withdraw(taking: Taking, held: HeldPush, now: number): Promise<void> {
    const { thread } = taking;
    const riders = this.deps.pushes.prolongRiders(thread, { due: now });
    if (!(await this.hold(thread, held, riders))) return;
    await this.deps.pushes.lookAgain(thread, now);
    this.deps.onTaken?.(taking, 0);
  }

  /** The socket is still there. False: the run is not, or another socket speaks for it now. */
  async vouch(thread: ThreadId, socket: string): Promise<boolean> {
    const now = await this.deps.pushes.read(thread, NO_PRODUCER);
    const held = heldIn(now, now.active?.runId ?? '');
    if (held?.hold.socket?.id !== socket) return false;
    const until = now.now + VOUCH_MS;
    // Outrun by the agent's own words, which vouch as well.
    await this.hold(thread, held, this.deps.pushes.vouchRiders(thread, until));
    return true;
  }

  /** Asks the agent to end the run itself. What nobody has taken ends at once. */
  async stop(thread: ThreadId, runId: string): Promise<void> {
    for (let tries = 0; tries < MAX_STOPS; tries += 1) {
      const now = await this.deps.pushes.read(thread, NO_PRODUCER);
      const held = heldIn(now, runId);
      if (!held || !now.thread || held.hold.why === 'hub/cancelled') return;
      const { tenant, agentId } = now.thread;
      const due = isFree(held) ? now.now : Math.min(now.now + CANCEL_MS, held.hold.ends);
      const riders = this.deps.pushes.cancelRiders(
        { tenant, agentId, thread, runId },
        { due, why: 'hub/cancelled' },
      );
      if (await this.hold(thread, held, riders)) return this.deps.pushes.lookAgain(thread, due);
    }
  }

  /** Gives a run more time as a whole; if that was what it had next to none of, its agent counts as heard now. */
  async extend(thread: ThreadId, runId: string, { ms, agent }: MoreTime): Promise<boolean> {
    for (let tries = 0; tries < MAX_STOPS; tries += 1) {
      const now = await this.deps.pushes.read(thread, NO_PRODUCER);
      const held = heldIn(now, runId);
      if (!held) return false;
      const ends = held.hold.ends + ms;
      const isNext = held.hold.why === 'hub/timeout-total';
      const due = isNext ? heardAt(now.now, agent.timeouts, ends) : {};
      const riders = this.deps.pushes.prolongRiders(thread, { ends, ...due });
      if (await this.hold(thread, held, riders)) return true;
    }
    return false;
  }

  private async hold(thread: ThreadId, held: HeldPush, riders: readonly Rider[]): Promise<boolean> {
    const guards = this.deps.pushes.holdGuards(thread, held);
    const reply = await this.deps.log.append({ thread, events: [], guards, riders });
    return reply.status !== 'guarded';
  }
}

/** undefined: no such run is under way, or a hub carries it. */
export const heldIn = ({ active }: PushNow, runId: string): HeldPush | undefined =>
  active?.runId === runId && active.hold ? { ...active, hold: active.hold } : undefined;

const isTakersThread = ({ thread }: PushNow, { tenant, agent }: Taking): boolean =>
  thread?.tenant === tenant && thread.agentId === agent.id;

/** Offered, and nobody has taken it or begun it. */
const isFree = ({ hold, cancelled, started }: HeldPush): boolean =>
  hold.why === 'hub/agent-unavailable' && !cancelled && !started;
