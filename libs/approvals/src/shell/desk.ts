/** What every part of the approvals works with. */
import type { Actor, Policy } from '@triptych/access';
import type { Result } from '@triptych/protocol';
import type { ApprovalKnocks } from '../core/approval-knocks.js';
import type { ApprovalStore } from '../core/approval-store.js';
import type { ClaimIndex } from '../core/claim-index.js';

export interface Desk {
  readonly store: ApprovalStore;
  readonly claims: ClaimIndex;
  /** The policy in force. */
  readonly policy: () => Policy;
  /** Judges whether people are still who they were, by all that was revoked until it is asked for. */
  readonly standing: () => Promise<(actor: Actor) => Result<Actor>>;
  readonly knocks: ApprovalKnocks;
  /** Fresh run ids. */
  readonly newId: () => string;
  /** Signs decisions. */
  readonly signer: { sign(text: string): Promise<string> };
  /** How long a client has to answer the calls of its own tools. */
  readonly frontendTtlMs: number;
  /** Failures that are mended later by the sweep. */
  readonly report: (event: string, fields: Readonly<Record<string, unknown>>) => void;
}

/** What reading wants of it. */
export type ReadingDesk = Pick<Desk, 'store' | 'policy' | 'report'>;

/** Lets work go on that changes nothing of the truth; its failure is told and mended by the sweep. */
export const beside = (desk: Pick<Desk, 'report'>, event: string, work: Promise<unknown>): void => {
  work.catch((error: unknown) => desk.report(event, { error: String(error) }));
};
