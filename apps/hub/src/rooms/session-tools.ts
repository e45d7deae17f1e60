/** What every session and stream of this instance shares. */
import type { SocketOptions, Timers } from '@triptych/fanout';
import type { NoteReading } from './raw-reads.js';
import type { OpenDoors } from '../identity/open-doors.js';

export const SESSION_TOOLS = Symbol('SESSION_TOOLS');

export interface StreamTools extends Pick<SocketOptions, 'rooms' | 'pulse' | 'clock' | 'report' | 'limits'> {
  readonly timers: Timers;
}

export interface SessionTools extends StreamTools {
  /** Where everything is noted that is open. */
  readonly doors: OpenDoors;
  /** To be awaited before anything is shown. */
  readonly noteReading: NoteReading;
}
