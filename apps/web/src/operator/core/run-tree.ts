/** The tree of a run as the console shows it: runs, sub-agents and tool calls, each with how it stands and since when. */
import type { RunStatus } from '@triptych/protocol';
import type { ToolUse } from './tool-uses.js';

export interface RunFinding {
  readonly kind: string;
  readonly message: string;
  readonly at: number;
  readonly count?: number;
}

/** As the hub tells it. */
export interface ToldBranch {
  readonly runId?: string;
  readonly subagentRunId?: string;
  readonly name?: string;
  readonly status?: RunStatus | 'suspended';
  readonly code?: string;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly findings?: readonly RunFinding[];
  readonly children: readonly ToldBranch[];
}

export type Standing =
  | 'running'
  | 'done'
  /** People are to answer. */
  | 'waiting'
  | 'failed'
  | 'cancelled'
  | 'suspended'
  /** Called, and its run ended without a result. */
  | 'unanswered';

export interface RunNode {
  readonly key: string;
  readonly kind: 'run' | 'subagent' | 'tool';
  readonly name: string;
  /** The run it belongs to, or is. */
  readonly runId: string;
  readonly subagentRunId?: string;
  readonly standing: Standing;
  readonly code?: string;
  /** Unix milliseconds, all of them. */
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly waitsFrom?: number;
  /** Where in the log it begins, as far as that is loaded. */
  readonly seq?: number;
  readonly findings: readonly RunFinding[];
  readonly children: readonly RunNode[];
}

const STANDINGS: Readonly<Record<NonNullable<ToldBranch['status']>, Standing>> = {
  running: 'running',
  success: 'done',
  interrupt: 'waiting',
  cancelled: 'cancelled',
  failed: 'failed',
  suspended: 'suspended',
};

const toolNode = (use: ToolUse): RunNode => ({
  key: `tool/${use.toolCallId}`,
  kind: 'tool',
  name: use.name,
  runId: use.runId,
  standing: use.standing,
  startedAt: use.startedAt,
  ...(use.endedAt === undefined ? {} : { endedAt: use.endedAt }),
  ...(use.waitsFrom === undefined ? {} : { waitsFrom: use.waitsFrom }),
  seq: use.seq,
  findings: [],
  children: [],
});

export interface TreeFacts {
  /** What the run at the root is called. */
  readonly name: string;
  readonly uses: readonly ToolUse[];
  /** A run began after this one, so that nobody is awaited any more. */
  readonly wentOn: (runId: string) => boolean;
}

const standingOf = ({ status = 'running', runId }: ToldBranch, { wentOn }: TreeFacts): Standing =>
  status === 'interrupt' && runId !== undefined && wentOn(runId) ? 'done' : STANDINGS[status];

const byTime = (a: RunNode, b: RunNode): number => a.startedAt - b.startedAt;

/** `runId`: of the run whose sub-agents these are; ids of calls are its own. */
const branchNode = (told: ToldBranch, facts: TreeFacts, runId: string): RunNode => {
  const { subagentRunId, code, startedAt = 0, endedAt, findings = [] } = told;
  const own = told.runId ?? runId;
  const tools = facts.uses
    .filter((use) => use.runId === own && use.subagentRunId === subagentRunId)
    .map(toolNode);
  const standing = standingOf(told, facts);
  const below = told.children.map((child) => branchNode(child, facts, own));
  return {
    key: subagentRunId === undefined ? `run/${own}` : `subagent/${own}/${subagentRunId}`,
    kind: subagentRunId === undefined ? 'run' : 'subagent',
    name: told.name ?? own,
    runId: own,
    ...(subagentRunId === undefined ? {} : { subagentRunId }),
    standing,
    startedAt,
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(standing === 'waiting' && endedAt !== undefined ? { waitsFrom: endedAt } : {}),
    ...(code === undefined ? {} : { code }),
    findings,
    children: [...tools, ...below].sort(byTime),
  };
};

export const runTree = (told: ToldBranch, facts: TreeFacts): RunNode =>
  branchNode({ ...told, name: facts.name }, facts, told.runId ?? '');

export interface VisibleNode {
  readonly node: RunNode;
  readonly depth: number;
  /** The names that lead to it, its own last. */
  readonly path: readonly string[];
  readonly shut: boolean;
}

/** The same rows in every view; what is shut hides what is below it. */
export const visibleNodes = (root: RunNode, shut: ReadonlySet<string>): readonly VisibleNode[] => {
  const rows: VisibleNode[] = [];
  const walk = (node: RunNode, path: readonly string[]): void => {
    const here = [...path, node.name];
    rows.push({ node, depth: path.length, path: here, shut: shut.has(node.key) });
    if (!shut.has(node.key)) for (const child of node.children) walk(child, here);
  };
  walk(root, []);
  return rows;
};

/** How long it worked; what waits for people waits, it does not work. */
export const tookOf = (node: RunNode, now: number): number =>
  Math.max(0, (node.waitsFrom ?? endOf(node, now)) - node.startedAt);

/** How long people have it, or had it; undefined: never. */
export const waitedOf = (node: RunNode, now: number): number | undefined =>
  node.waitsFrom === undefined ? undefined : Math.max(0, endOf(node, now) - node.waitsFrom);

/** When its last part ended, or now. */
export const endOf = (node: RunNode, now: number): number =>
  node.endedAt !== undefined && node.standing !== 'waiting' ? node.endedAt : now;
