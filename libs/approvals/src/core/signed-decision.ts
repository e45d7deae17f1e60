/** Writes down who decided what as one text that can be signed, and later verified by anybody with the published keys. */
import type { ResumeEntry } from '@triptych/protocol';
import type { Batch, BatchFacts } from './batch.js';
import { canonicalText } from './canonical.js';
import type { SettledTask } from './task.js';

/** APR-64: what a signature stands for; the run is the one that asked. */
export interface SignedFields {
  readonly decisionId: string;
  readonly actor: string | undefined;
  readonly decidedAt: number;
  readonly proposalHash: string;
  readonly payloadHash: string;
  readonly threadId: string;
  readonly runId: string;
  readonly interruptId: string;
  readonly status: ResumeEntry['status'];
}

export const signedFields = (
  { threadId, runId }: BatchFacts,
  { interruptId, decision }: SettledTask,
): SignedFields => ({
  decisionId: decision.id,
  actor: decision.by.at(-1),
  decidedAt: decision.at,
  proposalHash: decision.proposalHash,
  payloadHash: decision.payloadHash,
  ...{ threadId, runId, interruptId },
  status: decision.payload === undefined ? 'cancelled' : 'resolved',
});

/** Its canonical form (RFC 8785): the same on every attempt to deliver it. */
export const signedText = (facts: BatchFacts, task: SettledTask): string =>
  canonicalText(signedFields(facts, task));

/** What proves a decision to anybody. */
export interface Receipt extends SignedFields {
  /** Detached (RFC 7515, appendix F), by EdDSA over `signed`. */
  readonly jws: string;
  readonly signed: string;
}

/** Makes a detached signature of a text. */
export type Sign = (text: string) => Promise<string>;

export const receiptOf = async (facts: BatchFacts, task: SettledTask, sign: Sign): Promise<Receipt> => {
  const signed = signedText(facts, task);
  return { ...signedFields(facts, task), jws: await sign(signed), signed };
};

/** The same entries, each with its proof: an agent may hand one on by itself. */
export const withProofs = async (
  entries: readonly ResumeEntry[],
  { facts, tasks }: Batch,
  sign: Sign,
): Promise<readonly ResumeEntry[]> =>
  Promise.all(
    entries.map(async (entry, i) => {
      const task = tasks[i];
      if (task?.status !== 'settled') throw new Error(`${entry.interruptId} is not settled.`);
      const hub = { ...(entry.metadata?.hub as object), jws: await sign(signedText(facts, task)) };
      return { ...entry, metadata: { ...entry.metadata, hub } };
    }),
  );
