/** Time as the machine tells it. */
import type { Clock } from '../core/clock.js';

export const systemClock: Clock = { now: () => Date.now() };
