/** Shows one redacted value of a proposal to whoever gives a reason, after that has been written down. */
import { revealArgs, type Actor, type Policy } from '@triptych/access';
import { refuse, type Result } from '@triptych/protocol';
import { parseTaskId } from '../core/ids.js';
import type { Matter } from '../core/matter.js';
import { noteReveal, type RevealAsked } from '../core/reveal.js';
import { amend } from './amend.js';
import type { Desk } from './desk.js';
import { matterIn } from './task-desk.js';

export interface Revealing extends RevealAsked {
  /** The thread that the task is said to be of. */
  readonly threadId: string;
}

const valueIn = (policy: Policy, { task: { proposal } }: Matter, pointer: string): Result<unknown> =>
  revealArgs(policy, 'reviewer', { tool: proposal.toolName, args: proposal.args, pointer });

export const reveal = async (
  desk: Desk,
  { actor, taskId, ...asked }: Revealing & { readonly actor: Actor; readonly taskId: string },
): Promise<Result<unknown>> => {
  const name = parseTaskId(taskId);
  if (!name) return refuse('NOT_FOUND');
  let found: Result<unknown> = refuse('NOT_FOUND');
  const noted = await amend(desk, { batchId: name.batchId, cause: actor }, (loaded) => {
    if (loaded.batch.facts.threadId !== asked.threadId) return refuse('NOT_FOUND');
    const matter = matterIn(loaded, actor, taskId);
    if (!matter.ok) return matter;
    const noting = noteReveal(matter.value, asked);
    if (!noting.ok) return noting;
    found = valueIn(desk.policy(), matter.value, asked.pointer);
    return found.ok ? noting : found;
  });
  return noted.ok ? found : noted;
};
