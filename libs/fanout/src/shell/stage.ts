/** What the rooms of one instance share: the log, the current policy, positions, time. */
import type { Clock, Fold, LogToFollow, ProjectionFor, Report, Timers } from '../core/ports.js';
import type { PositionCodec } from '../core/position.js';

export interface Stage {
  readonly log: LogToFollow;
  readonly positions: PositionCodec;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly report: Report;
  readonly fold: Fold;
  /** These two change with the policy; everything built under another one is void. */
  readonly projectionFor: ProjectionFor;
  readonly policyVersion: string;
  /** What one ring may hold now that so many share the budget. */
  ringBytes(): number;
  /** Calls `look` every few moments for as long as it says true. */
  watch(look: () => boolean): void;
}
