/** What a policy file says, once it has been read: what each surface sees, and who approves what. */
import type { DecisionVerb, Surface } from '@triptych/protocol';
import type { ArgumentTests } from './argument-test.js';
import type { Shape } from './shape.js';

/** What a shown tool is called while it runs and once it is over. */
export interface ToolLabel {
  readonly running: string;
  readonly done?: string;
  readonly failed?: string;
}

export interface ToolView {
  /** Absent: the tool's own name. */
  readonly label?: ToolLabel;
  readonly args: Shape;
  readonly result: Shape;
  /** The arguments as whoever is to decide on them sees them: whole, less what is redacted. */
  readonly proposal: Shape;
}

/** What one surface is allowed; everything else is hidden from it. */
export interface SurfacePolicy {
  readonly state: Shape;
  /** Pointers a client of this surface may write. */
  readonly write: readonly string[];
  readonly tools: ReadonlyMap<string, ToolView>;
  /** How tools not named are shown; absent: not at all. */
  readonly otherTools?: ToolView;
  /** Labels by step name, in the file's order. */
  readonly steps: ReadonlyMap<string, string>;
  /** Steps not named are shown under their own name. */
  readonly otherSteps: boolean;
  readonly custom: readonly string[];
  readonly activities: readonly string[];
  readonly subagents: boolean;
  readonly reasoning: boolean;
}

/** Surfaces a policy speaks of; the operator sees everything. */
export type ProjectedSurface = Exclude<Surface, 'operator'>;

export type TaskSource = 'interrupt' | 'frontend_tool';
export type Barred = 'requester' | 'editor';

/** Globs and tests; all must hold. */
export interface RuleConditions {
  readonly source: TaskSource;
  readonly agent?: string;
  readonly tenant?: string;
  readonly reason?: string;
  readonly tool?: string;
  readonly args: ArgumentTests;
  readonly hour?: {
    readonly from: number;
    readonly to: number;
    /** The hour of the day at an instant, on the rule's clock. */
    readonly at: (instant: number) => number;
  };
}

/** What a waiting customer is told; never the rule or the deadline. */
export interface CustomerNotice {
  readonly text?: string;
  readonly usualMs?: number;
  readonly hours?: string;
}

/** How a matched task is handled. Plain JSON, so that it can be kept with the task. */
export interface Handling {
  readonly audience: 'reviewer' | 'customer';
  /** Empty: every reviewer. */
  readonly groups: readonly string[];
  readonly quorum: number;
  /** Votes must come from different groups. */
  readonly distinctGroups: boolean;
  readonly forbid: readonly Barred[];
  /** By the role that votes. */
  readonly limits: Readonly<Record<string, ArgumentTests>>;
  readonly reasonRequired: readonly DecisionVerb[];
  /** May be decided in a chat bridge. */
  readonly chat: boolean;
  readonly undoMs: number;
  readonly dueMs?: number;
  /** Before the due time. */
  readonly remindMs: readonly number[];
  readonly escalate: readonly { readonly afterMs: number; readonly to: readonly string[] }[];
  readonly ttlMs: number;
  readonly onAllExpired: 'dispatch' | 'hold';
  readonly customer?: CustomerNotice;
}

export interface ApprovalRule {
  readonly id: string;
  readonly match: RuleConditions;
  readonly handling: Handling;
}

export interface Policy {
  /** First 8 hex digits of the SHA-256 of the content. */
  readonly version: string;
  readonly surfaces: Readonly<Record<ProjectedSurface, SurfacePolicy>>;
  /** First match wins. */
  readonly rules: readonly ApprovalRule[];
}
