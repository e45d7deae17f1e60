/** The facts a permission is judged on, gathered by whoever asks. */
import type { Surface } from '@triptych/protocol';
import type { Role } from './actor.js';

/** Everything that can be acted on belongs to one tenant, and that is judged first. */
export interface Owned {
  readonly tenant: string;
}

export interface SurfaceFacts extends Owned {
  readonly surface: Surface;
}

/** What decides who is a candidate for a task. */
export interface Candidacy extends Owned {
  readonly audience: 'reviewer' | 'customer';
  /** Empty: every reviewer of the tenant. */
  readonly groups: readonly string[];
  /** False: operators only, and nobody approves. */
  readonly approvable: boolean;
  /** Unix milliseconds; absent while the task is open. */
  readonly closedAt?: number;
}

export interface ThreadFacts extends Owned {
  readonly owner: string;
  readonly agentId: string;
  /** The view asked for; absent: any. */
  readonly surface?: Surface;
  /** Tasks of the thread, open ones and those closed within the last 30 days. */
  readonly tasks?: readonly Candidacy[];
  /** Unix milliseconds. */
  readonly now?: number;
  /** Who may start runs of the thread's agent. */
  readonly starters?: readonly Role[];
}

export interface AgentFacts extends Owned {
  readonly agentId: string;
  readonly starters: readonly Role[];
}

export interface NewThreadFacts extends AgentFacts {
  /** Who the thread is to belong to. */
  readonly owner: string;
}

export interface TaskFacts extends Candidacy {
  readonly owner: string;
  /** Whoever gave the input that began the chain of runs, and the thread's owner. */
  readonly requesters: readonly string[];
  /** Who last edited the proposal. */
  readonly editor?: string;
  /** Whose answer it is, while it can be taken back. */
  readonly deciders?: readonly string[];
  readonly forbid: readonly ('requester' | 'editor')[];
  /** Whether its rule lets it be decided in a chat. */
  readonly chat?: boolean;
  /** Whether each voting role's limits hold for what is being approved; an absent role has none. */
  readonly withinLimits?: Readonly<Record<string, boolean>>;
}

/** Which facts each action is judged on. */
export interface FactsOf {
  'surface.open': SurfaceFacts;
  'agent.list': Owned;
  'agent.use': AgentFacts;
  'thread.list': Owned;
  'thread.create': NewThreadFacts;
  'thread.read': ThreadFacts;
  'thread.subscribers': ThreadFacts;
  'thread.findings': ThreadFacts;
  'state.reveal': ThreadFacts;
  'run.start': ThreadFacts;
  'run.resume': ThreadFacts;
  'run.cancel': ThreadFacts;
  'run.extend': ThreadFacts;
  'log.read': ThreadFacts;
  'events.push': ThreadFacts;
  'task.list': Owned;
  'task.read': TaskFacts;
  /** All of a task, redacted to nobody. */
  'task.whole': Owned;
  'task.claim': TaskFacts;
  'task.release': TaskFacts;
  'task.heartbeat': TaskFacts;
  'task.takeover': TaskFacts;
  'task.assign': TaskFacts;
  'task.comment': TaskFacts;
  'task.extend': TaskFacts;
  'task.approve': TaskFacts;
  'task.reject': TaskFacts;
  'task.respond': TaskFacts;
  'task.edit': TaskFacts;
  'task.cancel': TaskFacts;
  'task.undo': TaskFacts;
  'task.reveal': TaskFacts;
  'house.read': Owned;
  'batch.list': Owned;
  'batch.mend': Owned;
  'deadletter.mend': Owned;
  'audit.read': Owned;
  'policy.read': Owned;
  'revocation.create': Owned;
}

export type Action = keyof FactsOf;

/** What a condition reads: any fact may be missing, and a missing fact permits nothing. */
export type Facts = Owned &
  Partial<Omit<SurfaceFacts & ThreadFacts & NewThreadFacts & TaskFacts, keyof Owned>>;
