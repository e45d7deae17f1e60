/** Takes a JSON object, and nothing else that JSON can say. */
import { ok, refuse, type Result } from '@triptych/protocol';

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (raw: unknown): raw is JsonObject =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw);

export const parseObject = (raw: unknown): Result<JsonObject> =>
  isObject(raw)
    ? ok(raw)
    : refuse('INVALID_INPUT', { message: 'A JSON object is expected.', details: { pointer: '' } });
