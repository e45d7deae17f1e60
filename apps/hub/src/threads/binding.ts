/** Says that a thread belongs to another agent, in the words the judge of admissions uses: who reads a thread knows its agent. */
import { refuse } from '@triptych/protocol';
import type { ThreadRecord } from '@triptych/runs';

export const refuseBinding = ({ agentId }: Pick<ThreadRecord, 'agentId'>) =>
  refuse('THREAD_BINDING_CONFLICT', { details: { agentId } });
