/** Agents that come by themselves, as a hub meets them: several intakes on one store stand for several hubs. */
import { randomUUID } from 'node:crypto';
import { asThreadId, type AguiEvent, type ThreadId } from '@triptych/protocol';
import { RedisPushStore } from '../src/adapters/redis-push-store.js';
import type { PushAgent } from '../src/core/ports.js';
import type { PushItem, PushProducer, PushRequest } from '../src/core/push-batch.js';
import { PushIntake } from '../src/shell/push-intake.js';
import type { PushDeps } from '../src/shell/push-desk.js';
import type { Bench } from './bench.js';

export const engine: PushAgent = {
  id: 'engine',
  idempotent: false,
  timeouts: { connectMs: 60_000, firstEventMs: 60_000, idleMs: 60_000, totalMs: 600_000 },
};

export const intakeOn = (bench: Bench, over: Partial<PushDeps> = {}): PushIntake =>
  new PushIntake({
    ...bench.depsOf(),
    pushes: new RedisPushStore(bench.redis),
    newVersion: randomUUID,
    reorderWindowMs: 60_000,
    ...over,
  });

export const item = (event: object | string): PushItem => {
  const text = typeof event === 'string' ? event : JSON.stringify(event);
  const { type = '', runId } = (typeof event === 'string' ? {} : event) as Partial<AguiEvent>;
  return { text, type, ...(typeof runId === 'string' ? { runId } : {}) };
};

export const pushing = (
  thread: ThreadId,
  events: readonly (object | string)[],
  { id = 'p', epoch = 0, seq = 0 }: Partial<PushProducer> = {},
): PushRequest => ({
  thread,
  agent: engine,
  tenant: 'default',
  subject: 'engine',
  producer: { id, epoch, seq },
  at: '',
  items: events.map(item),
});

export const freshThread = (): ThreadId => asThreadId(`push-spec-${randomUUID()}`);

/** Events with their positions, as one of several sources sends them. */
export const inOrder = (
  thread: ThreadId,
  sent: readonly { readonly position: number; readonly event: object }[],
): Omit<PushRequest, 'producer'> => {
  const { producer: _none, ...request } = pushing(thread, []);
  return { ...request, items: sent.map(({ position, event }) => ({ ...item(event), position })) };
};
