/** What the hub answered to Slack. */
import type { Members } from './answers.js';

export interface Ack {
  /** 0: nobody answered in time. */
  readonly status: number;
  readonly ms: number;
  readonly body: Members;
}

export const parseAck = (
  { status, text }: { readonly status: number; readonly text: string },
  ms: number,
): Ack => ({ status, ms, body: text === '' ? {} : (JSON.parse(text) as Members) });
