/** Keeps a position and never loses one: the client of the hub, for browsers and Node. */
export { systemClock, type Clock } from './adapters/clock.js';
export type { ThreadChange, ThreadListener } from './adapters/followed-threads.js';
export type { InboxFilter, InboxListener } from './adapters/inbox-feed.js';
export type { TokenSource } from './adapters/token-source.js';
export type { SocketConstructor, SocketLike } from './adapters/socket-line.js';
export type { ClosedReason, ConnectionState, LossCause } from './core/connection.js';
export type { InboxView } from './core/inbox-track.js';
export type {
  BulkItem,
  CancelReply,
  Decision,
  RunReply,
  RunRequest,
  TaskCall,
  TaskCallName,
} from './core/requests.js';
export { SignedOut } from './core/signed-out.js';
export type { ThreadView } from './core/thread-track.js';
export {
  HubClient,
  type HubClientOptions,
  type StateListener,
  type ThreadStatusListener,
} from './hub-client.js';
/** What a view's model holds, and how to read it. */
export {
  pendingInterruptsOf,
  runStatusOf,
  stepsOf,
  type AguiEvent,
  type BulkReply,
  type BulkResult,
  type Interrupt,
  type Message,
  type Model,
  type Position,
  type Refusal,
  type RefusalCode,
  type Result,
  type RunSummary,
  type Surface,
  type TaskView,
  type ThreadSummary,
} from '@triptych/protocol';
