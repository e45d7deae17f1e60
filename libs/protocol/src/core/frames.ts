/** The frames of the three surface sockets: `{event, id?, data?}` in text frames, both ways. */
import type { AguiEvent } from './agui.js';
import type { Position } from './ids.js';
import type { SeenBy, Source, Surface } from './log-entry.js';
import type { Refusal } from './result.js';
import type { TaskState, TaskView } from './task.js';
import type { ThreadStatus } from './thread.js';

export const SUBPROTOCOL = 'triptych.v1+json';
/** One RunAgentInput in, one AG-UI event a frame out. */
export const PLAIN_SUBPROTOCOL = 'ag-ui.v1+json';

export const CLIENT_FRAMES = [
  'subscribe',
  'unsubscribe',
  'run',
  'cancel',
  'inbox.subscribe',
  'inbox.unsubscribe',
  'task.claim',
  'task.release',
  'task.heartbeat',
  'task.takeover',
  'task.assign',
  'task.comment',
  'task.extend',
  'task.decide',
  'task.undo',
  'auth',
  'ack',
  'ping',
] as const;
export type ClientFrameName = (typeof CLIENT_FRAMES)[number];

/** What the socket of an agent that comes by itself may send; it is sent `run.offer` and `run.cancel`. */
export const AGENT_FRAMES = ['append', 'run.take', 'auth', 'ping'] as const;
export type AgentFrameName = (typeof AGENT_FRAMES)[number];

export interface ClientFrame {
  readonly event: string;
  /** At most 64 characters; a frame with an id gets exactly one `reply` or `refused` with it. */
  readonly id?: string;
  readonly data?: unknown;
}

export type SnapshotReason = 'join' | 'trimmed' | 'reset' | 'slow' | 'policy';

export interface SnapshotData {
  readonly threadId: string;
  readonly pos: Position;
  readonly reason: SnapshotReason;
  /** A join prelude: apply to an empty model. */
  readonly events: readonly AguiEvent[];
}

export interface AguiData {
  readonly threadId: string;
  /** The position this frame continues from; not yours means a gap. */
  readonly prev: Position;
  readonly pos: Position;
  readonly events: readonly AguiEvent[];
  /** Operator surface only, one entry an event each. */
  readonly seqs?: readonly number[];
  readonly at?: readonly number[];
  readonly source?: readonly Source[];
  readonly seen?: readonly SeenBy[];
}

export interface ReadyData {
  readonly session: string;
  readonly surface: Surface;
  readonly subject: string;
  readonly heartbeatMs: number;
  readonly limits: Readonly<Record<string, number>>;
}

export type TaskCounts = Readonly<Partial<Record<TaskState, number>>>;

export interface ServerFrames {
  ready: ReadyData;
  reply: unknown;
  refused: Refusal;
  snapshot: SnapshotData;
  agui: AguiData;
  head: { readonly threadId: string; readonly pos: Position };
  task: TaskView | { readonly taskId: string; readonly gone: true };
  counts: TaskCounts;
  'inbox.reset': Record<string, never>;
  thread: { readonly threadId: string; readonly status: ThreadStatus; readonly activeRunId?: string };
  unsubscribed: { readonly threadId: string; readonly code: string };
  'auth.expiring': { readonly at: number };
  closing: { readonly code: number; readonly next: string; readonly retryAfterMs?: number };
  pong: Record<string, never>;
}
export type ServerFrameName = keyof ServerFrames;
export type ServerFrame = {
  [K in ServerFrameName]: { readonly event: K; readonly id?: string; readonly data: ServerFrames[K] };
}[ServerFrameName];
