/** Rooms over a hand log and hand time, as most tests need them. */
import { asThreadId, type Surface } from '@triptych/protocol';
import { positionCodec } from '../src/core/position.js';
import type { LogToFollow } from '../src/core/ports.js';
import type { JoinFrom } from '../src/shell/joined.js';
import { roomsOn, type RoomsSettings } from '../src/shell/rooms.js';
import { HandLog } from './hand-log.js';
import { HandReader } from './hand-reader.js';
import { HandTime } from './hand-time.js';
import { fold, projection } from './story.js';
import type { TakingReader } from './taking-reader.js';

export const SECRET = Buffer.alloc(32, 7);
export const codec = positionCodec(SECRET);
export const THREAD = asThreadId('thread-1');

const settingsOn = (log: LogToFollow, time: HandTime, failures: unknown[]): RoomsSettings => ({
  log,
  projectionFor: () => projection,
  fold,
  positions: codec,
  policyVersion: 'v1',
  clock: time,
  timers: time,
  report: (_what, error) => void failures.push(error),
});

export const stand = (overrides: Partial<RoomsSettings> = {}) => {
  const log = new HandLog();
  const time = new HandTime();
  const failures: unknown[] = [];
  const rooms = roomsOn({ ...settingsOn(log, time, failures), ...overrides });
  const join = async (surface: Surface, options: { reader?: HandReader; from?: JoinFrom } = {}) => {
    const reader = options.reader ?? new HandReader();
    const joined = await rooms.join({ thread: THREAD, surface, reader, from: options.from });
    joined.start();
    return { reader, joined };
  };
  return { log, time, failures, rooms, join };
};

/** Lets everything that only waits for promises come to rest. */
export const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Everything is told, and every reader takes everything it is sent. */
export const caughtUp = async (
  { log, time }: Pick<ReturnType<typeof stand>, 'log' | 'time'>,
  readers: readonly TakingReader[],
): Promise<void> => {
  for (const reader of readers) reader.stalled = false;
  for (let round = 0; round < 4; round += 1) {
    for (const reader of readers) reader.take();
    log.tell(THREAD);
    await settled();
    time.advance(1_100);
  }
};
