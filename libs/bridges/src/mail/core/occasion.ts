/** Which news are worth a letter: it cannot be changed or taken back, so only those that call for somebody or call it off. */
import type { What } from '../../core/bridge.js';

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

export const occasionOf = (what: What): Occasion | undefined => OCCASIONS[what];
