/** Turns what a person decided into the payload their agent will read, or says why it does not fit. */
import { ok, refuse, type Result } from '@triptych/protocol';
import { readSchema, unfitAnswer, type AnswerError } from './answer-schema.js';
import type { DecideCommand } from './command.js';
import { rulingsOf, type Task } from './task.js';

export interface Answer {
  /** Absent: the interrupt is abandoned. */
  readonly payload?: unknown;
  readonly reason?: string;
}

export const unfit = (errors: readonly AnswerError[]): Result<never> =>
  refuse('RESUME_PAYLOAD_INVALID', { details: { errors } });
const unfitFor = (pointer: string, error: string): Result<never> => unfit([{ pointer, error }]);

export const reasonOf = ({ reason }: DecideCommand): string | undefined =>
  reason === undefined || reason.trim() === '' ? undefined : reason.trim();

const fits = (task: Task, payload: unknown): readonly AnswerError[] => {
  if (!task.responseSchema) return unfitAnswer(payload);
  const reading = readSchema(task.responseSchema);
  return reading.ok
    ? reading.schema.errorsOf(payload)
    : [{ pointer: '', error: 'The schema cannot be used.' }];
};

const checked = (task: Task, answer: Answer): Result<Answer> => {
  const errors = fits(task, answer.payload);
  return errors.length === 0 ? ok(answer) : unfit(errors);
};

export const isArguments = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const approval = (task: Task, command: DecideCommand, editedArgs: unknown): Result<Answer> => {
  if (command.editedArgs !== undefined && !isArguments(command.editedArgs))
    return unfitFor('/editedArgs', 'Edited arguments must be an object; they replace the arguments whole.');
  // APR-11: an agent that does not read edits would run the figures nobody approved.
  if (editedArgs !== undefined && !task.takes.edit)
    return unfitFor('/editedArgs', 'This agent does not take edited arguments.');
  const payload = editedArgs === undefined ? { approved: true } : { approved: true, editedArgs };
  return checked(task, { payload, reason: reasonOf(command) });
};

/** A reason the schema has no room for travels beside the payload, not in it. */
const rejection = (task: Task, command: DecideCommand): Result<Answer> => {
  if (!task.takes.reject) return unfitFor('/verb', 'This agent cannot be told no; cancel instead.');
  const reason = reasonOf(command);
  const bare = { payload: { approved: false }, reason };
  if (reason === undefined) return checked(task, bare);
  const spoken = checked(task, { payload: { approved: false, reason }, reason });
  return spoken.ok ? spoken : checked(task, bare);
};

const MISMATCH = {
  decision: 'This task takes approve, reject and cancel.',
  question: 'This task takes respond and cancel.',
};

const isTaken = (task: Task, { verb }: DecideCommand): boolean =>
  verb === 'cancel' || (task.kind === 'decision' ? verb !== 'respond' : verb === 'respond');

/** `editedArgs`: what would run instead of the proposal, from this command or an earlier edit. */
export const answerFor = (task: Task, command: DecideCommand, editedArgs: unknown): Result<Answer> => {
  if (!isTaken(task, command)) return unfitFor('/verb', MISMATCH[task.kind]);
  if (command.payload !== undefined && command.verb !== 'respond')
    return unfitFor('/payload', `A payload does not go with ${command.verb}.`);
  if (command.editedArgs !== undefined && command.verb !== 'approve')
    return unfitFor('/editedArgs', `Edited arguments do not go with ${command.verb}.`);
  const wantsReason = rulingsOf(task).some((ruling) => ruling.reasonRequired.includes(command.verb));
  if (wantsReason && reasonOf(command) === undefined) return unfitFor('/reason', 'A reason is required.');
  switch (command.verb) {
    case 'approve':
      return approval(task, command, editedArgs);
    case 'reject':
      return rejection(task, command);
    case 'respond':
      return checked(task, { payload: command.payload, reason: reasonOf(command) });
    case 'cancel':
      return ok({ reason: reasonOf(command) });
  }
};
