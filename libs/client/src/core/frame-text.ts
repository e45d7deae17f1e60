/** Writes frames, and says which are too large for the hub before it closes the line over them. */
import { ok, refuse, type ClientFrame, type Result } from '@triptych/protocol';

/** No UTF-16 unit takes more in UTF-8, bytes. */
const MAX_BYTES_A_UNIT = 3;

/** A frame that is no JSON (a cycle, a BigInt) is the caller's mistake and is told like one. */
export const frameText = (frame: ClientFrame): Result<string> => {
  try {
    return ok(JSON.stringify(frame));
  } catch (error) {
    const message = `This cannot be written as JSON: ${error instanceof Error ? error.message : 'unknown'}`;
    return refuse('INVALID_INPUT', { message, details: { pointer: '/data' } });
  }
};

/** `limits` as `ready` told them. */
export const isTooLarge = (
  text: string,
  isRun: boolean,
  limits: Readonly<Record<string, number>>,
): boolean => {
  const limit = isRun ? limits['runFrameBytes'] : limits['frameBytes'];
  if (limit === undefined || text.length * MAX_BYTES_A_UNIT <= limit) return false;
  return new TextEncoder().encode(text).length > limit;
};
