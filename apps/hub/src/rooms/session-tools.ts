/** What every session and stream of this instance shares. */
import type { SocketOptions } from '@triptych/fanout';

export const SESSION_TOOLS = Symbol('SESSION_TOOLS');

export type SessionTools = Pick<SocketOptions, 'rooms' | 'pulse' | 'clock' | 'report' | 'limits'>;
