/** Judges a decision's receipt by the published keys: that it was signed, and that what is shown of it is what was signed. */
import canonicalize from 'canonicalize';
import type { AuditRecord } from './audit-record.js';
import type { SealTools } from './seal-check.js';

export interface Receipt {
  readonly decisionId: string;
  readonly actor?: string;
  readonly decidedAt: number;
  readonly proposalHash: string;
  readonly payloadHash: string;
  readonly threadId: string;
  readonly runId: string;
  readonly interruptId: string;
  readonly status: string;
  readonly jws: string;
  readonly signed: string;
}

export type ReceiptVerdict = 'good' | 'bad-signature' | 'bad-fields' | 'other-decision' | 'browser';

/** A record that has no hash of an answer is of another step of the same task. */
const isOf = (receipt: Receipt, { payloadHash }: AuditRecord): boolean =>
  payloadHash === undefined || payloadHash === receipt.payloadHash;

export const judgeReceipt = async (
  receipt: Receipt,
  record: AuditRecord,
  tools: SealTools | undefined,
): Promise<ReceiptVerdict> => {
  if (tools === undefined) return 'browser';
  const { jws, signed, ...fields } = receipt;
  if (!(await tools.signed(jws, signed))) return 'bad-signature';
  if (canonicalize(fields) !== signed) return 'bad-fields';
  return isOf(receipt, record) ? 'good' : 'other-decision';
};
