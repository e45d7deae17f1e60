/** Reads the ids a caller gives to threads and runs. */
import { asThreadId, isPrintableId, ok, refuse, type Result, type ThreadId } from '@triptych/protocol';

const parseId = (name: 'threadId' | 'runId', raw: unknown): Result<string> =>
  isPrintableId(raw)
    ? ok(raw)
    : refuse('INVALID_INPUT', {
        message: `${name} must be 1 to 256 printable characters.`,
        details: { pointer: `/${name}` },
      });

export const parseThreadId = (raw: unknown): Result<ThreadId> => {
  const id = parseId('threadId', raw);
  return id.ok ? ok(asThreadId(id.value)) : id;
};

export const parseRunId = (raw: unknown): Result<string> => parseId('runId', raw);
