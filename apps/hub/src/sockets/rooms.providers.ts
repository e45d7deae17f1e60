/** Wires the log, the projections and the fold into the rooms of this instance. */
import type { Provider } from '@nestjs/common';
import { beginView, viewStep, type View } from '@triptych/access';
import {
  EVENT_LOG,
  HUB_SECRET,
  LEDGER,
  POLICY,
  type PolicySource,
  type RedisEventLog,
} from '@triptych/assembly/nest';
import {
  type Fold,
  positionCodec,
  type Projection,
  type ProjectionFor,
  type Pulse,
  pulseOn,
  type Rooms,
  roomsOn,
  type Timers,
} from '@triptych/fanout';
import { SESSION_TOOLS, type SessionTools } from './session-tools.js';
import type { Clock, Log, Settings } from '@triptych/platform';
import { CLOCK, LOG, SETTINGS } from '@triptych/platform/nest';
import { every } from '@triptych/platform';
import { emptyModel, modelStep, prelude, type Model, type ThreadId } from '@triptych/protocol';
import type { RunLedger } from '@triptych/runs';

export const ROOMS = Symbol('ROOMS');
export const PULSE = Symbol('PULSE');

export const systemTimers: Timers = {
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  every,
};

const fold: Fold<Model> = { empty: emptyModel, step: modelStep, prelude };

/** Who a thread belongs to never changes once it exists, and nobody joins one that does not. */
const projectionsFrom =
  (policy: PolicySource, ledger: RunLedger): ProjectionFor =>
  async (threadId: ThreadId): Promise<Projection> => {
    const thread = await ledger.thread(threadId);
    const viewed = { agentId: thread?.agentId ?? '', tenant: thread?.tenant ?? '' };
    const inForce = policy.current();
    const projection: Projection<View> = {
      begin: (surface) => beginView(inForce, surface, viewed),
      step: viewStep,
    };
    return projection as Projection;
  };

export const roomsProviders: Provider[] = [
  {
    provide: PULSE,
    inject: [CLOCK, LOG],
    useFactory: (clock: Clock, log: Log) =>
      pulseOn({
        timers: systemTimers,
        clock,
        report: (what, error) => log.error('pulse.failed', { what, error }),
      }),
  },
  {
    provide: ROOMS,
    inject: [EVENT_LOG, POLICY, LEDGER, HUB_SECRET, CLOCK, LOG, SETTINGS],
    useFactory: (...parts: [RedisEventLog, PolicySource, RunLedger, Buffer, Clock, Log, Settings]) => {
      const [log, policy, ledger, secret, clock, report, settings] = parts;
      return roomsOn({
        log,
        fold: fold as Fold,
        projectionFor: projectionsFrom(policy, ledger),
        positions: positionCodec(secret),
        policyVersion: policy.current().version,
        clock,
        timers: systemTimers,
        report: (what, error) => report.error('rooms.failed', { what, error }),
        feedBytes: settings.feedBytes,
      });
    },
  },
  {
    provide: SESSION_TOOLS,
    inject: [ROOMS, PULSE, CLOCK, LOG, SETTINGS],
    useFactory: (...parts: [Rooms, Pulse, Clock, Log, Settings]): SessionTools => {
      const [rooms, pulse, clock, log, { limits }] = parts;
      return {
        rooms,
        pulse,
        clock,
        limits,
        report: (what, error) => log.error('socket.failed', { what, error }),
      };
    },
  },
];
