/** Why a batch changes: somebody asked for it, or the hub does it by itself. */
import type { Actor } from '@triptych/access';
import type { HUB } from './task.js';

export type Cause = Actor | typeof HUB;
