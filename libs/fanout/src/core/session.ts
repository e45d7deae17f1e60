/** Judges what comes in over one socket: handled, refused, or the end of the session. */
import { MAX_DEPTH, refusal, type CloseReason, type Refusal } from '@triptych/protocol';
import { readClientFrame, SURFACE_FRAMES, type KnownFrame, type ReadFrame } from './client-frame.js';

/** What one socket may ask for; the settings of a deployment take their place. */
export interface SessionLimits {
  readonly frameBytes: number;
  readonly runFrameBytes: number;
  readonly framesPerSecond: number;
  readonly framesBurst: number;
  readonly threadsPerSocket: number;
  /** Containers within each other in what a frame carries. */
  readonly depth: number;
}

const MIB = 1024 * 1024;

export const SESSION_LIMITS: SessionLimits = {
  frameBytes: MIB,
  /** A run carries messages and images. */
  runFrameBytes: 12 * MIB,
  /** A person's page never comes near; a script that does is told to slow down. */
  framesPerSecond: 50,
  /** A page that opens many threads asks for all of them in one go. */
  framesBurst: 200,
  /** Fifty threads on one page need one socket. */
  threadsPerSocket: 64,
  depth: MAX_DEPTH,
};

/** A broken client is given this many chances a minute before its line is closed. */
const MAX_MALFORMED = 10;
const MALFORMED_WINDOW_MS = 60_000;
/** So many of the largest frames may come at once, and one more each second. */
const LARGEST_AT_ONCE = 4;

export interface Intake {
  readonly limits: SessionLimits;
  /** Names of the frames this socket may send. */
  readonly names: ReadonlySet<string>;
  /** Frames that may come at once; below zero is debt. */
  readonly tokens: number;
  /** The same of their bytes. */
  readonly bytes: number;
  readonly filledAt: number;
  readonly malformedAt: readonly number[];
}

export interface Received {
  /** Undefined for a binary frame. */
  readonly text: string | undefined;
  readonly bytes: number;
  readonly now: number;
}

export type Verdict =
  | { readonly do: 'handle'; readonly frame: KnownFrame }
  | { readonly do: 'refuse'; readonly id?: string; readonly refusal: Refusal }
  | { readonly do: 'close'; readonly reason: CloseReason; readonly id?: string; readonly refusal?: Refusal };

export interface Taken {
  readonly intake: Intake;
  readonly verdict: Verdict;
}

export const newIntake = (
  now: number,
  limits: SessionLimits = SESSION_LIMITS,
  names: ReadonlySet<string> = SURFACE_FRAMES,
): Intake => ({
  limits,
  names,
  tokens: limits.framesBurst,
  bytes: LARGEST_AT_ONCE * limits.runFrameBytes,
  filledAt: now,
  malformedAt: [],
});

const spent = (intake: Intake, bytes: number, now: number): Intake => {
  const { framesPerSecond, framesBurst, runFrameBytes } = intake.limits;
  const seconds = (now - intake.filledAt) / 1000;
  const tokens = Math.min(framesBurst, intake.tokens + seconds * framesPerSecond) - 1;
  const filled = Math.min(LARGEST_AT_ONCE * runFrameBytes, intake.bytes + seconds * runFrameBytes);
  return { ...intake, tokens, bytes: filled - bytes, filledAt: now };
};

interface Debt {
  readonly limit: 'RATE_FRAMES' | 'RATE_BYTES';
  readonly seconds: number;
  readonly tooDeep: boolean;
}

const debtOf = ({ tokens, bytes, limits }: Intake): Debt | undefined => {
  const { framesPerSecond, framesBurst, runFrameBytes } = limits;
  const inFrames = {
    limit: 'RATE_FRAMES',
    seconds: -tokens / framesPerSecond,
    tooDeep: tokens < -framesBurst,
  } as const;
  const inBytes = {
    limit: 'RATE_BYTES',
    seconds: -bytes / runFrameBytes,
    tooDeep: bytes < -LARGEST_AT_ONCE * runFrameBytes,
  } as const;
  const worse = inBytes.seconds > inFrames.seconds ? inBytes : inFrames;
  return worse.seconds > 0 ? { ...worse, tooDeep: inFrames.tooDeep || inBytes.tooDeep } : undefined;
};

const withId = (id: string | undefined): { id?: string } => (id === undefined ? {} : { id });

/** Who goes on sending while refused runs into debt; at a whole burst of it the line is closed. */
const tooFast = (intake: Intake, id: string | undefined): Verdict | undefined => {
  const debt = debtOf(intake);
  if (debt === undefined) return undefined;
  const retryAfterMs = Math.ceil(debt.seconds * 1000);
  const no = refusal('RATE_LIMITED', { retryAfterMs, details: { limit: debt.limit } });
  if (debt.tooDeep) return { do: 'close', reason: 'TOO_FAST', ...withId(id), refusal: no };
  return { do: 'refuse', ...withId(id), refusal: no };
};

/** Counts one malformed frame more; the tenth within a minute is the last. */
export const malformed = (intake: Intake, fault: { id?: string; pointer: string; now: number }): Taken => {
  const recent = intake.malformedAt.filter((at) => fault.now - at < MALFORMED_WINDOW_MS);
  const malformedAt = [...recent, fault.now];
  const no = refusal('INVALID_INPUT', { details: { pointer: fault.pointer } });
  const verdict: Verdict =
    malformedAt.length >= MAX_MALFORMED
      ? { do: 'close', reason: 'MISUSE', ...withId(fault.id), refusal: no }
      : { do: 'refuse', ...withId(fault.id), refusal: no };
  return { intake: { ...intake, malformedAt }, verdict };
};

const idIn = (read: ReadFrame): string | undefined => {
  if (read.kind === 'frame') return read.frame.id;
  return read.kind === 'not-an-object' ? undefined : read.id;
};

const judged = (intake: Intake, read: ReadFrame, received: Received): Taken => {
  switch (read.kind) {
    case 'not-an-object':
      return { intake, verdict: { do: 'close', reason: 'MISUSE', refusal: refusal('INVALID_INPUT') } };
    case 'malformed':
      return malformed(intake, { ...withId(read.id), pointer: read.pointer, now: received.now });
    case 'unknown': {
      const no = refusal('INVALID_INPUT', {
        message: 'There is no such frame.',
        details: { pointer: '/event' },
      });
      return { intake, verdict: { do: 'refuse', ...withId(read.id), refusal: no } };
    }
    case 'frame': {
      const { runFrameBytes, frameBytes } = intake.limits;
      const limit = read.frame.event === 'run' ? runFrameBytes : frameBytes;
      const verdict: Verdict =
        received.bytes > limit
          ? { do: 'close', reason: 'FRAME_TOO_BIG' }
          : { do: 'handle', frame: read.frame };
      return { intake, verdict };
    }
  }
};

export const takeFrame = (before: Intake, received: Received): Taken => {
  const intake = spent(before, received.bytes, received.now);
  const read: ReadFrame =
    received.text === undefined
      ? { kind: 'not-an-object' }
      : readClientFrame(received.text, intake.limits.depth, intake.names);
  const verdict = tooFast(intake, idIn(read));
  return verdict === undefined ? judged(intake, read, received) : { intake, verdict };
};

/** What gets no answer of ours still costs: pings, and what nobody reads. */
export const takeUnread = (
  before: Intake,
  { bytes, now }: Omit<Received, 'text'>,
): { readonly intake: Intake; readonly over: boolean } => {
  const intake = spent(before, bytes, now);
  return { intake, over: debtOf(intake)?.tooDeep ?? false };
};
