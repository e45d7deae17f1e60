/** Reads a refused act: who, what and when, so that the desk can say it where the work is. */
import type { DecisionKind, DecisionVerb, Refusal, TaskView } from '@triptych/protocol';

export type Conflict =
  | { readonly kind: 'decided'; readonly by?: string; readonly at?: number; readonly decided?: DecisionKind }
  | { readonly kind: 'claimed'; readonly by?: string }
  | { readonly kind: 'stale' }
  | { readonly kind: 'expired'; readonly at?: number }
  | { readonly kind: 'invalid'; readonly why: string }
  | { readonly kind: 'unrecorded' }
  | { readonly kind: 'refused'; readonly why: string };

export interface Attempt {
  readonly verb:
    DecisionVerb | 'claim' | 'comment' | 'undo' | 'release' | 'takeover' | 'edit' | 'assign' | 'extend';
  readonly conflict: Conflict;
  /** What its author had read. */
  readonly read?: unknown;
}

const first = (value: unknown): string | undefined => {
  const one: unknown = Array.isArray(value) ? value.at(-1) : value;
  return typeof one === 'string' ? one : undefined;
};
const time = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

const whyInvalid = (refusal: Refusal): string => {
  const errors = refusal.details?.errors;
  const messages = Array.isArray(errors)
    ? errors.map((error: unknown) => wordsOf(error)).filter(Boolean)
    : [];
  return messages.length > 0 ? messages.join('; ') : refusal.message;
};

const wordsOf = (error: unknown): string => {
  if (typeof error === 'string') return error;
  const { pointer, message } = (error ?? {}) as { pointer?: unknown; message?: unknown };
  return [pointer, message].filter((part) => typeof part === 'string' && part !== '').join(' ');
};

export const conflictOf = (refusal: Refusal): Conflict => {
  const details = refusal.details ?? {};
  const by = first(details.by);
  const at = time(details.at) ?? time(details.expiresAt);
  const who = { ...(by === undefined ? {} : { by }), ...(at === undefined ? {} : { at }) };
  switch (refusal.code) {
    case 'ALREADY_DECIDED':
      return {
        kind: 'decided',
        ...who,
        ...(typeof details.kind === 'string' ? { decided: details.kind as DecisionKind } : {}),
      };
    case 'CLAIM_LOST':
      return { kind: 'claimed', ...(by === undefined ? {} : { by }) };
    case 'STALE_REVISION':
      return { kind: 'stale' };
    case 'EXPIRED':
      return { kind: 'expired', ...(at === undefined ? {} : { at }) };
    case 'RESUME_PAYLOAD_INVALID':
    case 'INVALID_INPUT':
      return { kind: 'invalid', why: whyInvalid(refusal) };
    case 'STORE_UNAVAILABLE':
    case 'INTERNAL':
    case 'DRAINING':
      return { kind: 'unrecorded' };
    default:
      return { kind: 'refused', why: refusal.message };
  }
};

const SAME: Readonly<Partial<Record<Attempt['verb'], DecisionKind>>> = {
  approve: 'approved',
  reject: 'rejected',
  respond: 'responded',
  cancel: 'cancelled',
};

/** Someone was faster with the same answer; an edit is never the same. */
export const isSameDecision = ({ verb, conflict }: Attempt): boolean =>
  conflict.kind === 'decided' && conflict.decided !== undefined && SAME[verb] === conflict.decided;

/** After these there is nothing left to decide; after the others one may try again. */
export const isFinal = (conflict: Conflict): boolean =>
  conflict.kind === 'decided' || conflict.kind === 'expired';

/** Someone decided while an answer was still being written: told as if it had been sent and refused. */
export const overtaken = (
  { decision }: Pick<TaskView, 'decision'>,
  verb: Attempt['verb'],
  me: string,
): Attempt | undefined => {
  const by = decision?.by.at(-1);
  if (decision === undefined || by === me) return undefined;
  if (decision.kind === 'expired') return { verb, conflict: { kind: 'expired', at: decision.at } };
  const who = by === undefined ? {} : { by };
  return { verb, conflict: { kind: 'decided', at: decision.at, decided: decision.kind, ...who } };
};
