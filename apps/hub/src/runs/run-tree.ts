/** Folds what a surface was shown since a run began into the run's tree: who worked for whom, and how long. */
import type { AguiEvent } from '@triptych/protocol';

export type SubagentStatus = 'running' | 'success' | 'suspended' | 'failed';

interface Branch {
  readonly children: (SubagentBranch | RunBranch)[];
}

export interface RunBranch extends Branch {
  readonly kind: 'run';
  readonly runId: string;
  parentRunId?: string;
}

export interface SubagentBranch extends Branch {
  readonly kind: 'subagent';
  readonly subagentRunId: string;
  readonly name: string;
  readonly startedAt: number;
  status: SubagentStatus;
  endedAt?: number;
}

/** A tree is for people to read; what would come after so many branches is left out. */
const MAX_BRANCHES = 500;

interface Told {
  readonly runId: string;
  readonly parentRunId?: string;
  readonly subagentRunId: string;
  readonly parentSubagentRunId?: string;
  readonly name: string;
  readonly outcome?: { readonly type?: string };
}

export class RunTree {
  readonly root: RunBranch;
  private readonly runs = new Map<string, RunBranch>();
  /** Of the run under way, if it belongs to the tree. */
  private subagents = new Map<string, SubagentBranch>();
  private current: RunBranch | undefined;
  private branches = 1;

  constructor(runId: string) {
    this.root = { kind: 'run', runId, children: [] };
    this.runs.set(runId, this.root);
  }

  take(events: readonly AguiEvent[], at: number): void {
    for (const event of events) this.takeOne(event, at);
  }

  private takeOne(event: AguiEvent, at: number): void {
    const told = event as unknown as Told;
    if (event.type === 'RUN_STARTED') this.beginRun(told);
    else if (event.type === 'RUN_ERROR') this.endOpen(at);
    else if (event.type === 'SUBAGENT_STARTED') this.beginSubagent(told, at);
    else if (event.type === 'SUBAGENT_FINISHED')
      this.end(told, told.outcome?.type === 'suspended' ? 'suspended' : 'success', at);
    else if (event.type === 'SUBAGENT_ERROR') this.end(told, 'failed', at);
  }

  /** A run begins only after the one it was begun for. */
  private beginRun({ runId, parentRunId }: Told): void {
    this.subagents = new Map();
    this.current = this.runs.get(runId);
    if (parentRunId === undefined) return;
    const parent = this.runs.get(parentRunId);
    if (this.current) this.current.parentRunId = parentRunId;
    else if (parent && this.hasRoom()) {
      this.current = { kind: 'run', runId, parentRunId, children: [] };
      this.runs.set(runId, this.current);
      parent.children.push(this.current);
    }
  }

  private beginSubagent({ subagentRunId, parentSubagentRunId = '', name }: Told, at: number): void {
    const parent = this.subagents.get(parentSubagentRunId) ?? this.current;
    if (!parent || !this.hasRoom()) return;
    const status = 'running';
    const branch: SubagentBranch = {
      kind: 'subagent',
      subagentRunId,
      name,
      startedAt: at,
      status,
      children: [],
    };
    this.subagents.set(subagentRunId, branch);
    parent.children.push(branch);
  }

  private end({ subagentRunId }: Told, status: SubagentStatus, at: number): void {
    const branch = this.subagents.get(subagentRunId);
    if (branch?.status === 'running') Object.assign(branch, { status, endedAt: at });
  }

  /** A run that failed closes nothing; what was at work for it is over all the same. */
  private endOpen(at: number): void {
    for (const branch of this.subagents.values())
      if (branch.status === 'running') Object.assign(branch, { status: 'failed', endedAt: at });
  }

  private hasRoom(): boolean {
    this.branches += 1;
    return this.branches <= MAX_BRANCHES;
  }
}
