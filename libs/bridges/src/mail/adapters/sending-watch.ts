/** Knows whether all of a letter has left: of all that its transport tells, its log alone says so. */
export class SendingWatch {
  /** What is on its way cannot be taken back: from here on it may have arrived. */
  allSent = false;

  /** Every entry of the log; the one about the message comes when its last byte was handed on. */
  readonly info = ({ tnx }: { readonly tnx?: unknown }): void => {
    if (tnx === 'message') this.allSent = true;
  };
}
