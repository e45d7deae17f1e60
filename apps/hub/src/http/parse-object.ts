/** Takes a JSON object, and nothing else that JSON can say; one that brings a prototype of its own is none. */
import { ok, refuse, type Result } from '@triptych/protocol';

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (raw: unknown): raw is JsonObject =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw);

const PROTOTYPE = '__proto__';

const fault = (message: string, pointer: string): Result<never> =>
  refuse('INVALID_INPUT', { message, details: { pointer } });

export const parseObject = (raw: unknown): Result<JsonObject> => {
  if (!isObject(raw)) return fault('A JSON object is expected.', '');
  return Object.hasOwn(raw, PROTOTYPE)
    ? fault(`${PROTOTYPE} is no member of anything.`, `/${PROTOTYPE}`)
    : ok(raw);
};
