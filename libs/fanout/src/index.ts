/** Keeps each screen in step without letting a slow one hurt the others. */
export {
  serveAttach,
  serveNothing,
  servePlain,
  type AttachRequest,
  type OpenStream,
  type PlainRequest,
} from './adapters/serve-stream.js';
export type { StreamStep } from './adapters/event-stream.js';
export type { Render } from './core/delivery.js';
export type { Words } from './core/reworded.js';
export { httpLine } from './adapters/http-line.js';
export { encodingFor, EVENT_STREAM, type StreamEncoding } from './adapters/stream-encodings.js';
export { wsLine } from './adapters/ws-line.js';
export {
  serveSocket,
  type FrameHandler,
  type FrameHandlers,
  type SocketOptions,
  type SocketSession,
} from './adapters/socket-session.js';
export {
  serveAgent,
  type AgentFrame,
  type AgentSession,
  type AgentSocketOptions,
} from './adapters/agent-session.js';
export { nestsDeeper } from './core/client-frame.js';
export type { AguiDelivery, Delivery, SnapshotDelivery } from './core/delivery.js';
export { HEARTBEAT_MS } from './core/liveness.js';
export type { HandledFrame } from './core/own-frames.js';
export type {
  Clock,
  Fold,
  LogListener,
  LogToFollow,
  Projection,
  ProjectionFor,
  Report,
  Timers,
} from './core/ports.js';
export { positionCodec, type OpenedPosition, type PositionCodec, type Standing } from './core/position.js';
export type { Reader } from './core/reader.js';
export { asSaid } from './core/said.js';
export { newIntake, SESSION_LIMITS, takeUnread, type SessionLimits } from './core/session.js';
export type { Shown } from './core/shown.js';
export type { StreamLine } from './core/stream-line.js';
export type { Joined, JoinFrom, JoinRequest } from './shell/joined.js';
export { pulseOn, type Pulse } from './shell/pulse.js';
export {
  roomsOn,
  type Head,
  type ReaderLag,
  type Rooms,
  type RoomsSettings,
  type SurfaceSnapshot,
} from './shell/rooms.js';
