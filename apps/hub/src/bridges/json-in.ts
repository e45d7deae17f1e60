/** Reads the JSON of a signed call, of which only the bytes were kept until now. */
import { nestsDeeper } from '@triptych/fanout';
import { MAX_DEPTH, ok, refuse, type Result } from '@triptych/protocol';

const fault = (message: string): Result<never> =>
  refuse('INVALID_INPUT', { message, details: { pointer: '' } });

export const jsonIn = (bytes: Buffer): Result<unknown> => {
  const text = bytes.toString();
  // Looked at before it is parsed: parsing a million brackets takes a stack.
  if (nestsDeeper(text, MAX_DEPTH)) return fault(`The body is nested deeper than ${MAX_DEPTH}.`);
  try {
    return ok(JSON.parse(text) as unknown);
  } catch {
    return fault('The body is no JSON.');
  }
};
