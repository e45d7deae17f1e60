/** Reads a RunAgentInput from outside: typed and otherwise untouched, or a refusal that points at the fault. */
import { RunAgentInputSchema } from '@ag-ui/core/schemas';
import type { RunAgentInput } from './agui.js';
import { isPrintableId } from './ids.js';
import { mendInput } from './judge/dialect.js';
import { isDeeperThan } from './json/json-size.js';
import { writePointer } from './json/json-pointer.js';
import { isPlain } from './known-material.js';
import { MAX_DEPTH } from './limits.js';
import { ok, refuse, type Result } from './result.js';

const refuseAt = (pointer: string, message: string): Result<never> =>
  refuse('INVALID_INPUT', { message, details: { pointer } });

export const parseRunAgentInput = (raw: unknown, maxDepth = MAX_DEPTH): Result<RunAgentInput> => {
  if (!isPlain(raw)) return refuseAt('', 'The input must be a JSON object.');
  if (isDeeperThan(raw, maxDepth)) return refuseAt('', `The input is nested deeper than ${maxDepth}.`);
  const input = mendInput(raw);
  const checked = RunAgentInputSchema.safeParse(input);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    const pointer = writePointer(issue?.path ?? []);
    return refuseAt(pointer, `${pointer}: ${issue?.message ?? 'malformed'}`);
  }
  const odd = (['threadId', 'runId'] as const).find((key) => !isPrintableId(input[key]));
  if (odd) return refuseAt(`/${odd}`, `${odd} must be 1 to 256 printable characters.`);
  // The schema's own output has defaults and rewritten values in it; free-form material must stay as it came.
  return ok({ tools: [], context: [], ...input } as unknown as RunAgentInput);
};
