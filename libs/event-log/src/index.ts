/** Gives every accepted event its place, and finds it again. */
export { type RedisEventLog, type RedisEventLogParts, redisEventLog } from './adapters/redis-event-log.js';
export type { WatchBounds } from './adapters/subscription-watch.js';
export type {
  AppendOutcome,
  AppendRequest,
  EventLog,
  Follow,
  FollowListener,
  ForgetRequest,
  Guard,
  LogPage,
  NewEvent,
  Producer,
  Rider,
} from './core/event-log.js';
export type { LogStart } from './core/snapshot.js';
