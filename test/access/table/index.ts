/** Who may do what, by every door: written down from the contract, person by person, and from nothing else. */
import type { Row } from '../row.js';
import { OTHERS } from './others.js';
import { RUNS } from './runs.js';
import { TASKS } from './tasks.js';
import { THREADS } from './threads.js';

export { KNOWS } from './answers.js';
export { AGENT_ROWS, OPENINGS, OPENS } from './sockets.js';

export const TABLE: readonly Row[] = [...THREADS, ...RUNS, ...TASKS, ...OTHERS];
