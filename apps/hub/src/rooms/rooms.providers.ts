/** Wires the log, the projections and the fold into the rooms of this instance. */
import type { Provider } from '@nestjs/common';
import { beginView, viewStep, type Policy, type View } from '@triptych/access';
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
  type Pulse,
  pulseOn,
  type Report,
  type Rooms,
  type RoomsSettings,
  roomsOn,
  type Timers,
} from '@triptych/fanout';
import { every, type Clock, type Log, type Settings, type Shutdown } from '@triptych/platform';
import { CLOCK, LOG, REDIS, SETTINGS, SHUTDOWN } from '@triptych/platform/nest';
import { emptyModel, modelStep, prelude, type Model, type ThreadId } from '@triptych/protocol';
import type { RunLedger } from '@triptych/runs';
import type { Redis } from 'ioredis';
import { OpenDoors } from '../identity/open-doors.js';
import { noteReadings } from './raw-reads.js';
import { SESSION_TOOLS, type SessionTools } from './session-tools.js';

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
const shownBy = (
  policy: Policy,
  ledger: RunLedger,
): Pick<RoomsSettings, 'projectionFor' | 'policyVersion'> => ({
  policyVersion: policy.version,
  projectionFor: async (threadId: ThreadId): Promise<Projection> => {
    const thread = await ledger.thread(threadId);
    const viewed = { agentId: thread?.agentId ?? '', tenant: thread?.tenant ?? '' };
    const projection: Projection<View> = {
      begin: (surface) => beginView(policy, surface, viewed),
      step: viewStep,
    };
    return projection as Projection;
  },
});

type PulseParts = [Clock, Log, Shutdown];

const pulseFrom = (...[clock, log, shutdown]: PulseParts): Pulse => {
  const report: Report = (what, error) => log.error('pulse.failed', { what, error });
  const pulse = pulseOn({ timers: systemTimers, clock, report });
  shutdown.add('pulse', () => pulse.stop());
  return pulse;
};

type RoomParts = [RedisEventLog, PolicySource, RunLedger, Buffer, Clock, Log, Settings, Shutdown];

/** Sockets are sent elsewhere before the first of the stops runs: no reader is left in a room that closes. */
const roomsFrom = (...parts: RoomParts): Rooms => {
  const [log, policy, ledger, secret, clock, reports, settings, shutdown] = parts;
  const rooms = roomsOn({
    ...shownBy(policy.current(), ledger),
    log,
    fold: fold as Fold,
    positions: positionCodec(secret),
    clock,
    timers: systemTimers,
    report: (what, error) => reports.error('rooms.failed', { what, error }),
    feedBytes: settings.feedBytes,
  });
  const heedNoMore = policy.onChange((next) => rooms.usePolicy(shownBy(next, ledger)));
  shutdown.add('rooms', () => {
    heedNoMore();
    rooms.close();
  });
  return rooms;
};

export const roomsProviders: Provider[] = [
  { provide: PULSE, inject: [CLOCK, LOG, SHUTDOWN], useFactory: pulseFrom },
  {
    provide: ROOMS,
    inject: [EVENT_LOG, POLICY, LEDGER, HUB_SECRET, CLOCK, LOG, SETTINGS, SHUTDOWN],
    useFactory: roomsFrom,
  },
  {
    provide: SESSION_TOOLS,
    inject: [ROOMS, PULSE, CLOCK, LOG, SETTINGS, OpenDoors, REDIS],
    useFactory: (...parts: [Rooms, Pulse, Clock, Log, Settings, OpenDoors, Redis]): SessionTools => {
      const [rooms, pulse, clock, log, { limits }, doors, redis] = parts;
      return {
        rooms,
        pulse,
        clock,
        timers: systemTimers,
        limits,
        doors,
        noteReading: noteReadings(redis),
        report: (what, error) => log.error('socket.failed', { what, error }),
      };
    },
  },
];
