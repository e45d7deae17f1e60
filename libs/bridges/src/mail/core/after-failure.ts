/** What a failed sending means for the letter. */
import type { Delivery } from '../../core/bridge.js';

export interface MailFailure {
  /** What the server answered, where it did. */
  readonly responseCode?: number | undefined;
  readonly code?: string | undefined;
  /** All of the letter had left. */
  readonly sent: boolean;
  /** It had left before, too, and nobody said whether it arrived. */
  readonly unsure: boolean;
}

const isFinal = (answer: number): boolean => answer >= 500 && answer < 600;
/** A wrong password is mended by a person, who then need not send every letter again. */
const REFUSED_LOGIN = 'EAUTH';

/** A letter has no double that its reader could overlook: it is sent twice at most. */
export const afterFailure = ({ responseCode, code = 'failed', sent, unsure }: MailFailure): Delivery => {
  if (responseCode !== undefined && isFinal(responseCode) && code !== REFUSED_LOGIN)
    return { kind: 'refused', why: `the mail server refuses it (${responseCode})` };
  if (responseCode !== undefined) return { kind: 'failed', why: `the mail server answers ${responseCode}` };
  if (!sent) return { kind: 'failed', why: `the mail server cannot be spoken to (${code})` };
  return unsure
    ? { kind: 'refused', why: 'the mail server took it twice and did not say whether it keeps it' }
    : { kind: 'unsure', why: `the mail server did not say whether it keeps it (${code})` };
};
