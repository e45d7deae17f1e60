/** The ways in which a trail can be other than it was sealed, and how they are told. */
const SAYS = {
  changed: 'is not what was sealed',
  missing: 'is missing',
  'out-of-place': 'is not where it was sealed',
  'cut-off': 'was sealed and is gone, with all after it',
  rewritten:
    'or one before it, back to the checkpoint before, was written anew: the hashes agree with each other, not with the checkpoint',
  unreadable: 'is no sealed record',
  'wrong-signature': 'is the last of a checkpoint whose signature is not one of the published keys’',
  'checkpoint-missing': 'is the last of a checkpoint that does not follow the one before it',
  'no-checkpoint': 'and all others are covered by no checkpoint',
} as const;

export type FaultKind = keyof typeof SAYS;

/** The first thing that is wrong. */
export interface Fault {
  readonly why: FaultKind;
  /** The first bad record. */
  readonly seq: number;
  /** The number of the checkpoint, where one is meant. */
  readonly checkpoint?: number;
}

export const describeFault = ({ why, seq, checkpoint }: Fault): string =>
  `record ${seq} ${SAYS[why]}${checkpoint === undefined ? '' : ` (checkpoint ${checkpoint})`}`;
