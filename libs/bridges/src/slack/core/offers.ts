/** Says what a card lets people do: what this kind of task takes, as long as it is open and chats may decide it. */
import type { TaskView } from '@triptych/protocol';
import { isAnswerable } from '../../core/task-facts.js';
import type { CardAct } from './acts.js';

type Schema = Readonly<Record<string, unknown>>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const propertyOf = (schema: unknown, name: string): unknown => {
  const properties = isSchema(schema) ? schema['properties'] : undefined;
  return isSchema(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
};

const isBoolean = (schema: unknown): boolean =>
  isSchema(schema) && [schema['type']].flat().includes('boolean');

/** A question takes an answer; a decision yes or no. */
export const isDecision = ({ reason, source, responseSchema }: TaskView): boolean =>
  source === 'frontend_tool' ||
  reason === 'tool_call' ||
  reason === 'confirmation' ||
  isBoolean(propertyOf(responseSchema, 'approved'));

/** Where the schema cannot say no, nobody is offered to. */
const canSayNo = ({ responseSchema }: TaskView): boolean => {
  const approved = propertyOf(responseSchema, 'approved');
  if (!isSchema(approved)) return true;
  const { const: only, enum: some } = approved;
  return only !== true && !(Array.isArray(some) && !some.includes(false));
};

const takesEdits = ({ responseSchema, proposal }: TaskView): boolean => {
  const edited = propertyOf(responseSchema, 'editedArgs');
  return edited !== undefined && edited !== false && isSchema(proposal.args);
};

/** Without leave to decide in chats a card still lets people take the task up. */
export const offersOf = (task: TaskView, chat: boolean): ReadonlySet<CardAct> => {
  const offers = new Set<CardAct>();
  if (!isAnswerable(task)) return offers;
  if (task.claim === undefined) offers.add('claim');
  if (!chat) return offers;
  if (!isDecision(task)) return offers.add('respond');
  offers.add('approve');
  if (canSayNo(task)) offers.add('reject');
  if (takesEdits(task)) offers.add('edit');
  return offers;
};
