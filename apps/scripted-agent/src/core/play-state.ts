/** Plays what becomes of the thread's state and of the list of its messages. */
import type { JsonPatchOperation } from '@triptych/protocol';
import { opsToSet, valueAt, withValueAt } from './pointer.js';
import type { ReplaceState, Restate, SetState } from './scenario.js';
import { emit, emitUntagged, filled } from './stage.js';
import type { Performer, Stage } from './stage.js';

export const playState: Performer<ReplaceState> = ({ state, keep = [] }, stage) => {
  const before = stage.known.state;
  stage.known.state = keep
    .filter((pointer) => valueAt(before, pointer) !== undefined)
    .reduce((next, pointer) => withValueAt(next, pointer, valueAt(before, pointer)), filled(stage, state));
  emit(stage, { type: 'STATE_SNAPSHOT', snapshot: stage.known.state });
  return 'on';
};

export const playSet: Performer<SetState> = (step, stage) => {
  const delta: JsonPatchOperation[] = [];
  for (const [pointer, template] of Object.entries(step.set)) {
    const value = filled(stage, template) ?? null;
    delta.push(...opsToSet(stage.known.state, pointer, value));
    stage.known.state = withValueAt(stage.known.state, pointer, value);
  }
  if (delta.length > 0) emit(stage, { type: 'STATE_DELTA', delta });
  return 'on';
};

export const restateState = (stage: Stage): void =>
  emitUntagged(stage, { type: 'STATE_SNAPSHOT', snapshot: stage.known.state });

/** Without reasoning: a snapshot that holds some would remove all that it does not hold. */
export const restateMessages = (stage: Stage): void => {
  const messages = stage.known.messages.filter(({ role }) => role !== 'reasoning' && role !== 'activity');
  emitUntagged(stage, { type: 'MESSAGES_SNAPSHOT', messages });
};

export const playRestate: Performer<Restate> = (_step, stage) => {
  restateMessages(stage);
  return 'on';
};
