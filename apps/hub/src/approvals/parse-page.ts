/** Reads which page of a list of the approvals is asked for. */
import { MAX_PAGE } from '@triptych/approvals';
import { ok, refuse, type Result } from '@triptych/protocol';

export interface AskedPage {
  readonly limit?: number;
  readonly cursor?: string;
}

const refuseAt = (pointer: string): Result<never> => refuse('INVALID_INPUT', { details: { pointer } });

const isLimit = (raw: unknown): raw is string =>
  typeof raw === 'string' && /^\d{1,4}$/u.test(raw) && Number(raw) >= 1 && Number(raw) <= MAX_PAGE;

/** Whether a cursor is one that was given out is for the list to say. */
export const parsePage = ({ limit, cursor }: Readonly<Record<string, unknown>>): Result<AskedPage> => {
  if (limit !== undefined && !isLimit(limit)) return refuseAt('/limit');
  if (cursor !== undefined && typeof cursor !== 'string') return refuseAt('/cursor');
  return ok({
    ...(limit === undefined ? {} : { limit: Number(limit) }),
    ...(cursor === undefined ? {} : { cursor }),
  });
};
