/** Says in a sentence why nothing came of what a person pressed. */
import type { MayNotReason, Refusal } from '@triptych/protocol';

export type NameOf = (subject: string) => string;

const FORBIDDEN: Readonly<Record<MayNotReason, string>> = {
  requester: 'You asked for this yourself, so somebody else decides it.',
  editor: 'You edited this, so somebody else decides it.',
  limit: 'This is beyond what you may decide.',
  group: 'This is for another group, or your group has voted.',
  claimed: 'Somebody else has claimed this.',
};

const KINDS: Readonly<Record<string, string>> = {
  approved: 'Approved',
  rejected: 'Rejected',
  responded: 'Answered',
  cancelled: 'Cancelled',
};

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const;

const ago = (ms: number): string => {
  const [size, unit] = UNITS.find(([least]) => ms >= least) ?? [1_000, 's'];
  return `${Math.max(0, Math.floor(ms / size))} ${unit} ago`;
};

const namesIn = (by: unknown, nameOf: NameOf): string =>
  (Array.isArray(by) ? by : [by])
    .filter((each) => typeof each === 'string')
    .map(nameOf)
    .join(' and ');

interface Around {
  readonly nameOf: NameOf;
  /** Unix milliseconds. */
  readonly now: number;
}

const decidedWords = ({ details = {} }: Refusal, { nameOf, now }: Around): string => {
  const { kind, by, at } = details;
  const who = namesIn(by, nameOf);
  const when = typeof at === 'number' ? ` ${ago(now - at)}` : '';
  return `${KINDS[String(kind)] ?? 'Decided'}${who === '' ? '' : ` by ${who}`}${when}.`;
};

export const refusalWords = (refusal: Refusal, around: Around): string => {
  const { code, message, details = {} } = refusal;
  switch (code) {
    case 'ALREADY_DECIDED':
      return decidedWords(refusal, around);
    case 'CLAIM_LOST':
      return `Claimed by ${namesIn(details['by'], around.nameOf)}.`;
    case 'EXPIRED':
      return 'The time for this has passed.';
    case 'STALE_REVISION':
      return 'This changed since the card was drawn. Please look at it again.';
    case 'NOT_FOUND':
      return 'There is nothing here for you to decide.';
    case 'FORBIDDEN':
      return FORBIDDEN[details['why'] as MayNotReason] ?? message;
    default:
      return message;
  }
};

export const notLinkedWords = (account: string): string =>
  `Your Slack account is not linked to anybody here, so nothing was done. Please link your account: whoever runs the hub adds ${account} to its people.`;
