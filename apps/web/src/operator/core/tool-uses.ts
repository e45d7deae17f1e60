/** The tool calls of a log, each with how it stands. */
import { typeOf } from './families.js';
import type { LogBook, Stored } from './log-book.js';

export interface ToolUse {
  readonly toolCallId: string;
  readonly name: string;
  readonly runId: string;
  readonly subagentRunId?: string;
  readonly seq: number;
  /** Unix milliseconds, all of them. */
  readonly startedAt: number;
  readonly endedAt?: number;
  /** Since when people are to answer it. */
  readonly waitsFrom?: number;
  readonly standing: 'running' | 'done' | 'waiting' | 'unanswered';
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

interface Interrupted {
  readonly toolCallId?: unknown;
}

const askedIn = ({ event }: Stored): readonly string[] => {
  const interrupts = (event.outcome as { interrupts?: unknown } | undefined)?.interrupts;
  return Array.isArray(interrupts)
    ? (interrupts as readonly Interrupted[]).map(({ toolCallId }) => text(toolCallId))
    : [];
};

type Growing = { -readonly [K in keyof ToolUse]: ToolUse[K] };

const begun = ({ event, seq, at }: Stored, runId: string): Growing => ({
  toolCallId: text(event.toolCallId),
  name: text(event.toolCallName),
  runId,
  ...(typeof event.subagentRunId === 'string' ? { subagentRunId: event.subagentRunId } : {}),
  seq,
  startedAt: at,
  standing: 'running',
});

/** What the end of a run leaves open is awaited from people, or was never answered. */
const atEnd = (uses: Iterable<Growing>, entry: Stored): void => {
  const asked = askedIn(entry);
  for (const use of uses) {
    if (use.standing !== 'running') continue;
    if (asked.includes(use.toolCallId)) Object.assign(use, { standing: 'waiting', waitsFrom: entry.at });
    else Object.assign(use, { standing: 'unanswered', endedAt: entry.at });
  }
};

export const toolUses = ({ stored }: LogBook): readonly ToolUse[] => {
  const uses = new Map<string, Growing>();
  let runId = '';
  for (const entry of stored) {
    const type = typeOf(entry);
    if (type === 'RUN_STARTED') runId = text(entry.event.runId);
    else if (type === 'TOOL_CALL_START') uses.set(text(entry.event.toolCallId), begun(entry, runId));
    else if (type === 'TOOL_CALL_RESULT') {
      const use = uses.get(text(entry.event.toolCallId));
      if (use) Object.assign(use, { standing: 'done', endedAt: entry.at });
    } else if (type === 'RUN_FINISHED' || type === 'RUN_ERROR') atEnd(uses.values(), entry);
  }
  return [...uses.values()];
};

export interface BegunRun {
  readonly runId: string;
  readonly parentRunId?: string;
  readonly at: number;
  readonly seq: number;
}

export const runsIn = ({ stored }: LogBook): readonly BegunRun[] =>
  stored.flatMap((entry) => {
    if (typeOf(entry) !== 'RUN_STARTED') return [];
    const { runId, parentRunId } = entry.event;
    const parent = typeof parentRunId === 'string' ? { parentRunId } : {};
    return [{ runId: text(runId), ...parent, at: entry.at, seq: entry.seq }];
  });

/** Those that no other loaded run began. */
export const rootRuns = (runs: readonly BegunRun[]): readonly BegunRun[] =>
  runs.filter(({ parentRunId }) => !runs.some(({ runId }) => runId === parentRunId));
