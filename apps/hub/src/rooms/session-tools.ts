/** What every session and stream of this instance shares. */
import type { SocketOptions, Timers } from '@triptych/fanout';

export const SESSION_TOOLS = Symbol('SESSION_TOOLS');

export interface SessionTools extends Pick<SocketOptions, 'rooms' | 'pulse' | 'clock' | 'report' | 'limits'> {
  readonly timers: Timers;
}
