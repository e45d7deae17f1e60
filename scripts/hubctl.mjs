#!/usr/bin/env node
/** `npx hubctl …`: builds what is stale, then asks the tool. */
import { ensureBuilt } from './build.mjs';

ensureBuilt();
await import('../dist/apps/hubctl/src/main.js');
