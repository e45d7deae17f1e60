/** The port of what is kept of a thread whose agent comes by itself. */
import type { ResumeEntry, ThreadId } from '@triptych/protocol';
import type { Intake } from './intake.js';
import type { Guard, Rider } from './ports.js';
import type { Finding } from './findings.js';
import type { KnownProducer, PushItem } from './push-batch.js';
import type { PushHold } from './push-hold.js';
import type { Order, Passed, Waiting } from './push-positions.js';
import type { ThreadRecord } from './run-record.js';

/** What a thread's agent is told across all hubs. */
export interface AgentNews {
  readonly tenant: string;
  readonly agentId: string;
  readonly thread: ThreadId;
  readonly runId: string;
}

/** What the taker of a run is sent, less the history, which is folded when it is taken. */
export interface PushOrder {
  readonly intake: Intake;
  readonly resume?: readonly ResumeEntry[];
}

/** The lease of the run under way, as the store has it. */
export interface ActiveRun {
  readonly runId: string;
  readonly term: number;
  readonly started: boolean;
  /** Its input may have reached the agent. */
  readonly sent: boolean;
  readonly cancelled: boolean;
  /** Findings it has already. */
  readonly warned: number;
  /** Absent: its agent is called by a hub. */
  readonly hold?: PushHold;
}

export type HeldPush = ActiveRun & { readonly hold: PushHold };

/** A thread at one moment of the store's clock. */
export interface PushNow {
  readonly now: number;
  /** Changes with everything that is stored of pushed events; '' before the first. */
  readonly version: string;
  /** Of the judge: what the log does not show. */
  readonly residue: string;
  readonly thread?: ThreadRecord;
  readonly active?: ActiveRun;
  /** Term of the run that began last; 0 before the first. */
  readonly begun: number;
  readonly producer?: KnownProducer;
  /** Producers remembered, about. */
  readonly producers: number;
}

/** What one write makes of the thread. */
export interface PushMark {
  readonly version: string;
  readonly residue?: string;
  readonly producer?: { readonly id: string; readonly known: KnownProducer };
  readonly hold?: Partial<PushHold>;
  readonly order?: OrderMark;
}

/** What one write makes of the order of a thread's positions. */
export interface OrderMark {
  readonly passed?: Passed;
  /** They wait no longer. */
  readonly taken?: readonly Waiting[];
  /** They wait from now on. */
  readonly held?: readonly PushItem[];
  /** Since this moment, Unix milliseconds. */
  readonly since?: number;
  readonly findings?: readonly Finding[];
}

export interface PushStore {
  read(thread: ThreadId, producerId: string): Promise<PushNow>;
  /** To be read after the version that is to guard what is made of it. */
  waitingIn(thread: ThreadId): Promise<Omit<Order, 'next'>>;
  /** Those that wait; undefined where one does no longer. */
  heldItems(thread: ThreadId, positions: readonly number[]): Promise<readonly (PushItem | undefined)[]>;
  orderOf(thread: ThreadId): Promise<PushOrder | undefined>;
  /** The version is still this one. It is to be the first of an append's guards. */
  versionGuard(thread: ThreadId, version: string): Guard;
  /** Nobody has taken the run, spoken for it, or asked to stop it since it was read. */
  holdGuards(thread: ThreadId, held: HeldPush): readonly Guard[];
  /** Nobody has asked to stop the run since it was read. */
  cancelGuard(thread: ThreadId, cancelled: boolean): Guard;
  markRiders(thread: ThreadId, mark: PushMark): readonly Rider[];
  /** For the step that admits a run; an order makes it an offer to the agent's sockets on every hub. */
  admissionRiders(hold: PushHold, news: AgentNews, order?: PushOrder): readonly Rider[];
  /** Tells the agent's sockets on every hub to stop. */
  cancelRiders(news: AgentNews, hold: Pick<PushHold, 'due' | 'why'>): readonly Rider[];
  /** Somebody took the run; a pushed run that a socket took may have reached its agent. */
  takenRiders(thread: ThreadId, hold: Partial<PushHold>): readonly Rider[];
  /** When it ends as a whole, and by when it must say something until then. */
  prolongRiders(thread: ThreadId, times: Partial<Omit<PushHold, 'socket'>>): readonly Rider[];
  vouchRiders(thread: ThreadId, until: number): readonly Rider[];
  /** The hub's clock is not the store's. */
  now(): Promise<number>;
  /** Ahead of the offer itself, so one may dangle; of those that lapsed nothing is kept. */
  noteOffer(news: AgentNews, due: number): Promise<void>;
  offersTo(tenant: string, agentId: string): Promise<readonly Pick<AgentNews, 'thread' | 'runId'>[]>;
  /** Before a run is admitted: its end must be found by whoever looks. */
  watch(thread: ThreadId): Promise<void>;
  /** Threads worth a look, at most `limit`. */
  due(limit: number): Promise<readonly ThreadId[]>;
  /** To be looked at again; undefined: there is nothing to see any more. */
  lookAgain(thread: ThreadId, at: number | undefined): Promise<void>;
  forgetProducers(thread: ThreadId): Promise<readonly Rider[]>;
}
