/** What cards say of a task, whatever they are drawn with. */
import { OPEN_TASK_STATES, type TaskView } from '@triptych/protocol';

/** Whether anybody could still answer it: what is held is answered. */
export const isAnswerable = ({ state }: Pick<TaskView, 'state'>): boolean =>
  state !== 'held' && OPEN_TASK_STATES.includes(state);

/** As they would be approved. */
export const argsOf = ({ edit, proposal }: TaskView): unknown => (edit ? edit.args : proposal.args);
