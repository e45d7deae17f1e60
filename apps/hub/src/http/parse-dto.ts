/** Parses control input by its DTO: unknown members are refused, and the refusal points at the first fault. */
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { escapeToken, ok, refuse, type Result } from '@triptych/protocol';
import { parseObject } from './parse-object.js';

interface Fault {
  readonly pointer: string;
  readonly message: string;
}

const firstFault = (errors: readonly ValidationError[], path = ''): Fault => {
  const [error] = errors;
  const pointer = `${path}/${escapeToken(error?.property ?? '')}`;
  if (error?.children?.length) return firstFault(error.children, pointer);
  return { pointer, message: Object.values(error?.constraints ?? {})[0] ?? 'is not allowed' };
};

/** Where a value names a class of its own; the library would take it at its word. Bodies nest to a bounded depth. */
const classIn = (value: unknown, path = ''): string | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const pointer = `${path}/${escapeToken(key)}`;
    if (key === 'constructor') return pointer;
    const found = classIn(inner, pointer);
    if (found !== undefined) return found;
  }
  return undefined;
};

const refusalOf = ({ pointer, message }: Fault) =>
  refuse('INVALID_INPUT', { message: `${pointer}: ${message}`, details: { pointer } });

export const parseDto = <T extends object>(dto: new () => T, raw: unknown): Result<T> => {
  const given = parseObject(raw);
  if (!given.ok) return given;
  const named = classIn(given.value);
  if (named !== undefined) return refusalOf({ pointer: named, message: 'is not allowed' });
  const value = plainToInstance(dto, given.value);
  const errors = validateSync(value, {
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
  });
  if (errors.length === 0) return ok(value);
  return refusalOf(firstFault(errors));
};
