/** The doors by which chats and other systems come in, and what stands behind them; each bridge adds its own. */
import type { Provider, Type } from '@nestjs/common';
import { LinkedCallers } from './linked-callers.js';

export const bridgeControllers: readonly Type[] = [];

export const bridgeDesks: readonly Provider[] = [LinkedCallers];
