/** One question to a person: what was asked, where it stands, and what came of it. Times are Unix milliseconds. */
import type { Actor, Ruling } from '@triptych/access';
import type { DecisionKind, DecisionVerb, Proposal, TaskEvent } from '@triptych/protocol';

/** What the answer may be, found once from the schema when the task opens. */
export interface Takes {
  readonly approve: boolean;
  readonly reject: boolean;
  readonly edit: boolean;
  readonly respond: boolean;
}

/** What was asked; it never changes. */
export interface Asked {
  readonly taskId: string;
  readonly interruptId: string;
  readonly source: 'interrupt' | 'frontend_tool';
  readonly subagentPath?: readonly string[];
  readonly reason: string;
  readonly message?: string;
  readonly toolCallId?: string;
  readonly proposal: Proposal;
  readonly responseSchema?: Readonly<Record<string, unknown>>;
  /** The text of a schema that is not used, for operators to see; cut where it is long. */
  readonly refusedSchema?: string;
  /** A decision is answered with yes or no, a question with a payload. */
  readonly kind: 'decision' | 'question';
  readonly takes: Takes;
  /** The agent's own deadline; after it nothing may be sent as resolved, not even what was decided in time. */
  readonly agentDeadline?: number;
  readonly ruling: Ruling;
  readonly priority: number;
  readonly createdAt: number;
}

export interface Edit {
  readonly by: string;
  readonly at: number;
  readonly args: unknown;
  /** The rule the edited arguments fall under, where it is another: both must be satisfied. */
  readonly ruling?: Ruling;
}

/** Who a voter was when they voted, to be judged by once more before their answer is sent. */
export type Voter = Pick<Actor, 'roles' | 'groups' | 'tokenId' | 'issuedAt' | 'expiresAt'>;

export interface Vote {
  readonly by: string;
  readonly verb: DecisionVerb;
  readonly at: number;
  /** The groups this person may stand for. */
  readonly groups: readonly string[];
  /** What the voter saw. */
  readonly proposalHash: string;
  /** Hash of the payload the vote is for. */
  readonly payloadHash: string;
  /** Absent in what older versions stored. */
  readonly voter?: Voter;
}

/** A lease on the task: others wait until it lapses. */
export interface Claim {
  readonly by: string;
  readonly until: number;
  readonly maxUntil: number;
}

export interface Decision {
  readonly id: string;
  readonly kind: DecisionKind;
  readonly by: readonly string[];
  readonly at: number;
  /** What was decided on. */
  readonly proposalHash: string;
  readonly payloadHash: string;
  /** Present exactly when the interrupt is resolved; absent when it is abandoned. */
  readonly payload?: unknown;
  readonly editedArgs?: unknown;
  readonly reason?: string;
}

/** What moves while people work on it. */
interface Standing {
  readonly rev: number;
  readonly proposalHash: string;
  readonly edit?: Edit;
  /** Who is to look at it; it binds nobody. */
  readonly assignee?: string;
  readonly dueAt?: number;
  readonly expiresAt: number;
  /** Reminders up to this moment have been given. */
  readonly remindedAt?: number;
  /** The due time of which it was told that it passed. */
  readonly overdueAt?: number;
  /** Steps of its rule's escalation that were taken. */
  readonly escalated?: number;
  /** Groups that the wait has brought in. */
  readonly widened?: readonly string[];
  readonly votes: readonly Vote[];
  readonly history: readonly TaskEvent[];
}

export interface OpenTask extends Asked, Standing {
  readonly status: 'open';
  readonly claim?: Claim;
  readonly decision?: undefined;
}

/** What stands again when a held answer is taken back. */
export type Before = Pick<OpenTask, 'proposalHash' | 'edit' | 'votes'>;

/** Answered, but the answer can still be taken back; when its time is up it stands. */
export interface HeldTask extends Asked, Standing {
  readonly status: 'held';
  readonly claim?: undefined;
  readonly decision: Decision;
  readonly heldUntil: number;
  readonly before: Before;
  /** Under which the batch's answers shall run, where somebody waits for them by that name. */
  readonly runId?: string;
}

export interface SettledTask extends Asked, Standing {
  readonly status: 'settled';
  readonly claim?: undefined;
  readonly decision: Decision;
}

export type Task = OpenTask | HeldTask | SettledTask;

/** Of a held task what stays of it, whatever becomes of its answer. */
export const unheld = ({ heldUntil: _until, before: _before, runId: _runId, ...rest }: HeldTask) => rest;

/** The name under which the hub itself acts. */
export const HUB = 'hub';

/** Every rule that must be satisfied: the one of the question, and that of the edit where it is another. */
export const rulingsOf = (task: Task): readonly Ruling[] =>
  task.edit?.ruling ? [task.ruling, task.edit.ruling] : [task.ruling];

/** A rule's groups with those the wait has brought in. Where every reviewer is asked there is nobody to bring in. */
export const groupsIn = ({ widened = [] }: Task, { groups }: Ruling): readonly string[] =>
  groups.length === 0 ? groups : [...new Set([...groups, ...widened])];

/** The arguments that would run if this were approved now; undefined: there are none, or they are not JSON. */
export const argsOf = (task: Task): unknown => (task.edit ? task.edit.args : task.proposal.args);

export const quorumOf = (task: Task): number => Math.max(...rulingsOf(task).map((ruling) => ruling.quorum));

export const liveClaim = (task: Task, now: number): Claim | undefined =>
  task.status === 'open' && task.claim && now < task.claim.until ? task.claim : undefined;

/** Lines of history a task keeps; the outbox has every one of them. */
const MAX_HISTORY = 200;

export const remember = (task: Task, line: TaskEvent): readonly TaskEvent[] =>
  [...task.history, line].slice(-MAX_HISTORY);
