/** What a task is about as it stands: the edit, when there is one. */
import type { TaskView } from '@triptych/protocol';
import { argsSchemaOf, valueRows, type ValueRow } from './values.js';

/** What would run if it were approved now. */
export const currentArgs = ({ edit, proposal }: Pick<TaskView, 'edit' | 'proposal'>): unknown =>
  edit === undefined ? proposal.args : edit.args;

export const rowsOf = (
  { responseSchema }: Pick<TaskView, 'responseSchema'>,
  args: unknown,
): readonly ValueRow[] | undefined => valueRows(args, argsSchemaOf(responseSchema));

/** What an edit cannot reach, because its editor may not see it. */
export const hiddenRows = (task: Pick<TaskView, 'responseSchema'>, args: unknown): readonly ValueRow[] =>
  (rowsOf(task, args) ?? []).filter(({ value }) => value.kind === 'redacted');
