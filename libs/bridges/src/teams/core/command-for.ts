/** What a press asks of a task, in the words of the door that everybody's answers go through. */
import { ok, refuse, type Result, type TaskView } from '@triptych/protocol';
import type { CardAction } from './card-action.js';
import { REASON } from './card-actions.js';
import { fieldsOf, payloadFrom } from './schema-form.js';

export interface Command {
  readonly name: 'claim' | 'decide';
  readonly data: Readonly<Record<string, unknown>>;
}

const decide = ({ taskId, proposalHash }: TaskView, rev: number, more: Command['data']): Result<Command> =>
  ok({ name: 'decide', data: { taskId, rev, proposalHash, ...more } });

const reasonIn = ({ data }: CardAction): Command['data'] => {
  const reason = data[REASON];
  return typeof reason === 'string' && reason.trim() !== '' ? { reason: reason.trim() } : {};
};

const respond = (action: CardAction, task: TaskView, rev: number): Result<Command> => {
  const fields = fieldsOf(task.responseSchema);
  if (!fields) return refuse('INVALID_INPUT', { message: 'This is answered in the console.' });
  const payload = payloadFrom(fields, action.data);
  return payload.ok ? decide(task, rev, { verb: 'respond', payload: payload.value }) : payload;
};

/** `rev` is that of the card. undefined: nothing is asked but to look. */
export const commandFor = (action: CardAction, task: TaskView, rev: number): Result<Command> | undefined => {
  switch (action.verb) {
    case 'refresh':
      return undefined;
    case 'claim':
      return ok({ name: 'claim', data: { taskId: task.taskId } });
    case 'approve':
      return decide(task, rev, { verb: 'approve' });
    case 'reject':
      return decide(task, rev, { verb: 'reject', ...reasonIn(action) });
    case 'respond':
      return respond(action, task, rev);
  }
};
