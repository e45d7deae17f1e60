/** What a run needs from its neighbours: a log to write, agents to open, approvals to open and settle. */
import type {
  AguiEvent,
  Interrupt,
  LogEntry,
  Message,
  ResumeEntry,
  RunAgentInput,
  RunErrorCode,
  ThreadId,
  ToldEntry,
  ToolMessage,
} from '@triptych/protocol';

/** A Redis command that becomes true exactly when the events are stored. */
export type Rider = readonly [
  command: 'HSET' | 'HDEL' | 'DEL' | 'ZADD' | 'ZREM' | 'XADD' | 'PUBLISH',
  ...args: string[],
];

/** A hash field that must still have this value ('' = absent). */
export interface Guard {
  readonly key: string;
  readonly field: string;
  readonly equals: string;
}

export interface NewEvent {
  readonly json: string;
  readonly source: 'agent' | 'hub';
  readonly raw?: string;
}

export interface LogAppend {
  readonly thread: ThreadId;
  readonly events: readonly NewEvent[];
  readonly guards?: readonly Guard[];
  readonly riders?: readonly Rider[];
  readonly producer?: { readonly id: string; readonly epoch: number; readonly seq: number };
  /** A run ends with it. */
  readonly atRest?: boolean;
}

export type LogReply =
  | {
      readonly status: 'stored';
      readonly epoch: string;
      readonly first: number;
      readonly last: number;
      readonly at: number;
    }
  | { readonly status: 'repeated'; readonly epoch: string; readonly last: number }
  | { readonly status: 'fenced'; readonly epoch: number }
  | { readonly status: 'gap'; readonly expected: number }
  | { readonly status: 'guarded'; readonly failed: number };

export interface LogToWrite {
  append(request: LogAppend): Promise<LogReply>;
  /** Where to begin reading: entries that lead to where all of the log up to `seq` leads. */
  begin(thread: ThreadId): Promise<{ readonly seq: number; readonly entries: readonly ToldEntry[] }>;
  read(
    thread: ThreadId,
    after: number,
    limit: number,
  ): Promise<{
    readonly epoch: string;
    readonly head: number;
    readonly firstSeq: number;
    readonly entries: readonly LogEntry[];
  }>;
}

export type AgentItem =
  | { readonly kind: 'event'; readonly text: string }
  | { readonly kind: 'cut'; readonly code: RunErrorCode; readonly detail: string };

export type AgentOpened =
  | {
      readonly ok: true;
      readonly events: AsyncIterable<AgentItem>;
      /** So many milliseconds more than it has as a whole; absent where nothing limits it. */
      prolong?(ms: number): void;
    }
  | {
      readonly ok: false;
      readonly failure: string;
      readonly status?: number;
      /** It asks not to be asked again before this. */
      readonly retryAfterMs?: number;
      readonly detail: string;
    };

interface AnyAgent {
  readonly id: string;
  /** A resume that may have been received can be sent again without harm. */
  readonly idempotent: boolean;
}

/** One agent as a run sees it: called by the hub, and read as it streams. */
export interface CalledAgent extends AnyAgent {
  open(input: RunAgentInput, signal: AbortSignal): Promise<AgentOpened>;
}

/** It comes to the hub: takes the runs it is offered, and pushes their events. Milliseconds. */
export interface PushAgent extends AnyAgent {
  readonly timeouts: {
    readonly connectMs: number;
    readonly firstEventMs: number;
    readonly idleMs: number;
    readonly totalMs: number;
  };
}

export type RunAgent = CalledAgent | PushAgent;

export const comesByItself = (agent: RunAgent): agent is PushAgent => 'timeouts' in agent;

/** A run that ended by asking, as the approvals need it. */
export interface AskingRun {
  readonly threadId: ThreadId;
  readonly tenant: string;
  readonly agentId: string;
  readonly owner: string;
  readonly requesters: readonly string[];
  readonly runId: string;
  readonly interrupts: readonly Interrupt[];
  /** Calls of its client's own tools that wait for an answer; then there are no interrupts. */
  readonly calls: readonly string[];
  readonly toolCalls: ReadonlyMap<
    string,
    {
      readonly name: string;
      readonly argsText: string;
      readonly subagentRunId?: string;
      readonly isAnswered?: true;
    }
  >;
  /** subagentRunId → names from the outermost down to it. */
  readonly subagentPaths: ReadonlyMap<string, readonly string[]>;
}

export interface ResumeEnd {
  readonly batchId: string;
  readonly outcome: 'success' | 'interrupt' | 'cancelled' | 'error' | 'lost';
  /** The resume may have reached the agent. */
  readonly sent: boolean;
  readonly idempotent: boolean;
  readonly code?: string;
  /** What the conversation tells of a call's result. */
  readonly resultOf: (toolCallId: string) => string | undefined;
  /** The agent said nothing before it failed. */
  readonly atStart?: boolean;
  /** The agent's own words, or what came of asking it; operators only. */
  readonly message?: string;
  /** Interrupts that the agent names in its failure. */
  readonly named?: readonly string[];
  /** The agent asks for patience, milliseconds. */
  readonly retryAfterMs?: number;
}

/** A call that nobody let be made. */
export interface ShutGate {
  readonly taskId: string;
  /** How its task stands. */
  readonly why: string;
  /** The run that brings its agent the no: what is said of the call there is the agent's report of it. */
  readonly toldIn?: string;
  /** The record of its having been passed, for the write that keeps what shows it. */
  readonly raise: (runId: string) => Promise<readonly Rider[]>;
}

/** Calls of a client's own tools that its next run answers. */
export interface CallsToAnswer {
  readonly batchId: string;
  /** Their batch holds the thread. */
  readonly holds: boolean;
  /** Nobody else answers a call of theirs; else no run begins before people have. */
  readonly alone: boolean;
  /** In the order the agent made them. */
  readonly calls: readonly string[];
  /** The people whose answers count. */
  readonly answerers: readonly string[];
  /** What the hub answers in the place of a client whose time is over; absent: it still has time. */
  readonly lapsed?: (toolCallId: string) => ToolMessage;
  /** For the step that admits the run which answers them. */
  answeredBy(runId: string): { readonly guards: readonly Guard[]; readonly riders: readonly Rider[] };
}

/** What the approvals add to the step that stores a run's end. */
export interface Closings {
  /** False: of a resume that was planned a while ago some answer counts no more. */
  stands(batchId: string): Promise<boolean>;
  /** For the step after which a resume may reach its agent. */
  sentFor(batchId: string): Promise<readonly Rider[]>;
  /** For the step that stores the RUN_STARTED of a resume. */
  startedFor(batchId: string): Promise<readonly Rider[]>;
  openingFor(end: AskingRun): Promise<{ ahead(): Promise<void>; readonly riders: readonly Rider[] }>;
  settlementFor(end: ResumeEnd): Promise<readonly Rider[]>;
  /** undefined: nothing waits for a run's messages. */
  callsToAnswer(thread: ThreadId): Promise<CallsToAnswer | undefined>;
  /** Calls of the thread whose tasks are open, or ended in anything but a yes; by tool call id. */
  shutGates(thread: ThreadId): Promise<ReadonlyMap<string, ShutGate>>;
  /** For the step that stores an error of a run that had ended already. */
  failedLateFor(run: { readonly threadId: ThreadId; readonly runId: string }): Promise<readonly Rider[]>;
}

export interface ResumeOrder {
  readonly batchId: string;
  readonly resume?: readonly ResumeEntry[];
  /** Instead of a resume, where calls of a client's own tools are answered. */
  readonly messages?: readonly Message[];
  /** Who gave the input that began the chain of runs. */
  readonly requester: string;
}

export interface Clock {
  now(): number;
}

/** One event on its way into the log. */
export interface JudgedEvent {
  readonly event: AguiEvent;
  readonly json: string;
  /** What the operator is warned of; absent when there is nothing. */
  readonly warnings?: readonly string[];
}
