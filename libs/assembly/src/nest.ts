/** The capabilities as tokens, wired to one another once for all processes. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DynamicModule, Global, Module, type Provider } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { readPolicy } from '@triptych/access';
import { readAgents } from '@triptych/agents';
import { Approvals, bullKnocks } from '@triptych/approvals';
import { type RedisEventLog, redisEventLog } from '@triptych/event-log';
import { describeProblem } from '@triptych/platform';
import { CLOCK, type Clock, LOG, type Log, REDIS, SETTINGS, type Settings, SHUTDOWN, type Shutdown, SUBSCRIBER } from '@triptych/platform/nest';
import { RedisRunLedger, Runs, type RunLedger } from '@triptych/runs';
import { AgentDirectory } from './agent-directory.js';
import { BootRefused } from './boot.js';
import { PolicySource } from './policy-source.js';

export { AgentDirectory } from './agent-directory.js';
export { PolicySource } from './policy-source.js';
export type { RedisEventLog } from '@triptych/event-log';

export const EVENT_LOG = Symbol('EVENT_LOG');
export const LEDGER = Symbol('LEDGER');
export const RUNS = Symbol('RUNS');
export const APPROVALS = Symbol('APPROVALS');
export const AGENTS = Symbol('AGENTS');
export const POLICY = Symbol('POLICY');
