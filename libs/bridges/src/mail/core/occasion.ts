/** Which news are worth a letter: it cannot be changed or taken back, so only those that call for somebody or call it off. */
import { OPEN_TASK_STATES } from '@triptych/protocol';
import type { Notice, What } from '../../core/bridge.js';

export type Occasion = 'created' | 'escalated' | 'decided' | 'expired';

const OCCASIONS: Readonly<Record<What, Occasion | undefined>> = {
  created: 'created',
  escalated: 'escalated',
  decided: 'decided',
  expired: 'expired',
  claimed: undefined,
  changed: undefined,
  resumed: undefined,
  failed: undefined,
};

/** What was over before anybody was written to is told as what it became: nobody is called to it any more. */
export const occasionOf = ({ what, task }: Pick<Notice, 'what' | 'task'>): Occasion | undefined => {
  if (what !== 'created' || OPEN_TASK_STATES.includes(task.state)) return OCCASIONS[what];
  return task.state === 'expired' ? 'expired' : 'decided';
};
