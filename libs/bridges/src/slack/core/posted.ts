/** Where a message is, as the spine keeps it without reading it. */
export interface Posted {
  readonly channel: string;
  readonly ts: string;
}

const POSTED = /^([A-Z0-9]{1,64}) (\d{1,20}\.\d{1,10})$/u;

export const postedText = ({ channel, ts }: Posted): string => `${channel} ${ts}`;

export const postedOf = (text: string | undefined): Posted | undefined => {
  const [, channel, ts] = POSTED.exec(text ?? '') ?? [];
  return channel === undefined || ts === undefined ? undefined : { channel, ts };
};
