/** Ends what nobody answered in time: the hub abandons it, and never approves. */
import { settled } from './settle.js';
import { HUB, type Task } from './task.js';

export const expired = (task: Task, now: number): Task =>
  settled(task, { kind: 'expired', by: [HUB], at: now });
