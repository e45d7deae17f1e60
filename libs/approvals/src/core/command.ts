/** What a person asks of a task, as a door hands it over. */
import { isPrintableId, refuse, ok, type DecisionVerb, type Result } from '@triptych/protocol';
import type { AssignCommand } from './assign.js';
import type { ExtendCommand } from './extend.js';

export interface DecideCommand {
  readonly verb: DecisionVerb;
  /** Absent only at the AG-UI door, whose clients may not know it. */
  readonly rev?: number;
  readonly proposalHash?: string;
  readonly payload?: unknown;
  readonly editedArgs?: unknown;
  readonly reason?: string;
}

/** Long enough for a paragraph that explains; longer belongs into a document. */
export const MAX_TEXT_LENGTH = 4_000;
const VERBS: readonly unknown[] = ['approve', 'reject', 'respond', 'cancel'];

type Body = Readonly<Record<string, unknown>>;

const invalid = (pointer: string, message: string) =>
  refuse('INVALID_INPUT', { message, details: { pointer } });

const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_TEXT_LENGTH;

/** Reads a revision as `If-Match` or a frame gives it: a number, or its text in quotes. */
export const parseRev = (raw: unknown): Result<number> => {
  const rev = typeof raw === 'string' ? Number(/^"?(\d{1,15})"?$/.exec(raw)?.[1] ?? NaN) : raw;
  if (typeof rev === 'number' && Number.isSafeInteger(rev) && rev >= 0) return ok(rev);
  return invalid('/rev', 'The revision you read is required: a number, or If-Match: "<rev>".');
};

/** A text that must say something. */
export const parseText = (body: unknown, name: string): Result<string> => {
  const text = isObject(body) ? body[name] : undefined;
  if (isText(text) && text.trim() !== '') return ok(text.trim());
  return invalid(`/${name}`, `${name} must be a text of 1 to ${MAX_TEXT_LENGTH} characters.`);
};

/** Whom a task is given to; `null`: nobody. */
export const parseAssign = (body: Body): Result<AssignCommand> => {
  const { to } = body;
  const rev = parseRev(body.rev);
  if (!rev.ok) return rev;
  if (to === null) return ok({ rev: rev.value });
  return isPrintableId(to)
    ? ok({ rev: rev.value, to })
    : invalid('/to', 'to must name a person, or be null.');
};

export const parseExtend = (body: Body): Result<ExtendCommand> => {
  const { dueAt } = body;
  const rev = parseRev(body.rev);
  if (!rev.ok) return rev;
  return typeof dueAt === 'number' && Number.isSafeInteger(dueAt)
    ? ok({ rev: rev.value, dueAt })
    : invalid('/dueAt', 'dueAt must be a time in Unix milliseconds.');
};

const optional = (body: Body, names: readonly string[]): Body =>
  Object.fromEntries(names.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]));

/** Reads the body of `decide`. */
export const parseDecide = (
  raw: unknown,
): Result<Required<Pick<DecideCommand, 'rev' | 'proposalHash'>> & DecideCommand> => {
  if (!isObject(raw)) return invalid('', 'The body must be an object.');
  const { verb, proposalHash, reason } = raw;
  if (!VERBS.includes(verb)) return invalid('/verb', 'verb must be approve, reject, respond or cancel.');
  if (typeof proposalHash !== 'string')
    return invalid('/proposalHash', 'The hash of the proposal you read is required.');
  if (reason !== undefined && !isText(reason))
    return invalid('/reason', `reason must be a text of at most ${MAX_TEXT_LENGTH} characters.`);
  const rev = parseRev(raw.rev);
  if (!rev.ok) return rev;
  const rest = optional(raw, ['payload', 'editedArgs', 'reason']);
  return ok({ verb: verb as DecisionVerb, rev: rev.value, proposalHash, ...rest });
};
