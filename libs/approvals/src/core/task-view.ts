/** Shows one task to one person: what was asked, where it stands, and what they may do. */
import type { Proposal, RuleMatch, Surface, TaskEvent, TaskState, TaskView } from '@triptych/protocol';
import { openTasks, requesterOf, type Batch } from './batch.js';
import type { Matter } from './matter.js';
import { offerTo } from './may.js';
import { priorityAt } from './priority.js';
import { quorumHave } from './quorum.js';
import { groupsIn, HUB, liveClaim, quorumOf, type Decision, type Task } from './task.js';

/** What the caller's surface may see of a tool's arguments. */
export type Redact = (toolName: string | undefined, args: unknown) => unknown;

export interface ViewOptions {
  readonly surface: Surface;
  readonly redact: Redact;
  /** Text that is not JSON cannot be redacted by pointer: false hides it where anything is redacted. */
  readonly showText: (toolName: string | undefined) => boolean;
  /** Why a rule matched, less what the surface sees redacted. */
  readonly redactMatches: (
    toolName: string | undefined,
    matched: readonly RuleMatch[],
  ) => readonly RuleMatch[];
  /** A call that is hidden is not named, nor are subagents where none is shown. */
  readonly showsCall: (toolName: string | undefined) => boolean;
  readonly showsSubagents: boolean;
  /** Whether reviewers are shown less of the task's proposal than there is. */
  readonly redacted: boolean;
  readonly history?: boolean;
}

/** What a task is called on the wire; once decided, its batch says how far the answer has come. */
export const stateOf = ({ batch, task, now }: Pick<Matter, 'batch' | 'task' | 'now'>): TaskState => {
  if (task.status === 'open') {
    if (task.expiresAt <= now) return 'expired';
    if (task.votes.length > 0) return 'voting';
    return liveClaim(task, now) ? 'claimed' : 'pending';
  }
  if (task.status === 'held' && now < task.heldUntil) return 'held';
  if (task.decision.kind === 'expired') return 'expired';
  switch (batch.status.state) {
    case 'dispatching':
    case 'running':
      return 'dispatched';
    case 'done':
      return batch.status.orphaned ? 'superseded' : 'closed';
    case 'blocked':
      return batch.status.why === 'orphaned' ? 'superseded' : 'decided';
    case 'open':
    case 'ready':
    case 'retry_wait':
    case 'unknown':
      return 'decided';
  }
};

const HIDDEN_TEXT = '[redacted]';

export const proposalOf = (
  { proposal }: Pick<Task, 'proposal'>,
  { redact, showText }: Pick<ViewOptions, 'redact' | 'showText'>,
): Proposal => {
  const { toolName, args, argsText } = proposal;
  const name = toolName === undefined ? {} : { toolName };
  if (argsText !== undefined) return { ...name, argsText: showText(toolName) ? argsText : HIDDEN_TEXT };
  return args === undefined ? name : { ...name, args: redact(toolName, args) };
};

const redactedPayload = (payload: unknown, redact: (args: unknown) => unknown): unknown => {
  if (typeof payload !== 'object' || payload === null || !('editedArgs' in payload)) return payload;
  return { ...payload, editedArgs: redact(payload.editedArgs) };
};

const decisionOf = ({ proposal }: Task, decision: Decision, { redact }: ViewOptions) => {
  const { kind, by, at, payload, editedArgs, reason } = decision;
  const shown = (args: unknown): unknown => redact(proposal.toolName, args);
  return {
    kind,
    by,
    at,
    ...(payload === undefined ? {} : { payload: redactedPayload(payload, shown) }),
    ...(editedArgs === undefined ? {} : { editedArgs: shown(editedArgs) }),
    ...(reason === undefined ? {} : { reason }),
  };
};

const batchOf = (batch: Batch): TaskView['batch'] => ({
  batchId: batch.facts.batchId,
  state: batch.status.state,
  open: openTasks(batch).length,
  total: batch.tasks.length,
});

/** Where the question came from, as far as the surface is shown that. */
const originOf = (
  { source, toolCallId, subagentPath, proposal }: Task,
  { showsCall, showsSubagents }: ViewOptions,
) => {
  const isShown = source === 'frontend_tool' || showsCall(proposal.toolName);
  return {
    ...(toolCallId !== undefined && isShown ? { toolCallId } : {}),
    ...(subagentPath !== undefined && showsSubagents ? { subagentPath } : {}),
  };
};

const askedOf = (task: Task, options: ViewOptions) => ({
  reason: task.reason,
  ...(task.message === undefined ? {} : { message: task.message }),
  ...originOf(task, options),
  ...(task.responseSchema === undefined ? {} : { responseSchema: task.responseSchema }),
  ...(task.refusedSchema === undefined || options.surface !== 'operator'
    ? {}
    : { responseSchemaText: task.refusedSchema }),
  proposal: proposalOf(task, options),
});

/** ACC-23 holds here too: an agent's own words are for operators. */
const historyOf = ({ batch, task }: Matter, { surface }: ViewOptions): readonly TaskEvent[] => {
  const { failedLate: at } = batch;
  const lines =
    at === undefined ? task.history : [...task.history, { at, by: HUB, action: 'run-failed-late' }];
  const inOrder = lines.toSorted((one, other) => one.at - other.at);
  return surface === 'operator' ? inOrder : inOrder.map(({ said: _said, ...line }) => line);
};

const workOf = (matter: Matter, options: ViewOptions) => {
  const { task, now } = matter;
  const { redact, history } = options;
  const claim = liveClaim(task, now);
  const { edit } = task;
  return {
    ...(edit ? { edit: { by: edit.by, at: edit.at, args: redact(task.proposal.toolName, edit.args) } } : {}),
    ...(claim ? { claim } : {}),
    ...(task.assignee === undefined ? {} : { assignee: task.assignee }),
    ...(task.dueAt === undefined ? {} : { dueAt: task.dueAt }),
    votes: task.votes.map(({ by, verb, at }) => ({ by, verb, at })),
    quorum: { needed: quorumOf(task), have: quorumHave(task) },
    ...(history ? { history: historyOf(matter, options) } : {}),
  };
};

export const taskView = (matter: Matter, options: ViewOptions): TaskView => {
  const { batch, task } = matter;
  const { ruling } = task;
  const { may, mayNot } = offerTo(matter, options.redacted);
  return {
    taskId: task.taskId,
    rev: task.rev,
    state: stateOf(matter),
    threadId: batch.facts.threadId,
    runId: batch.facts.runId,
    agentId: batch.facts.agentId,
    interruptId: task.interruptId,
    source: task.source,
    ...askedOf(task, options),
    proposalHash: task.proposalHash,
    audience: ruling.audience,
    groups: groupsIn(task, ruling),
    priority: priorityAt(task, matter.now),
    requester: requesterOf(batch.facts),
    createdAt: task.createdAt,
    expiresAt: task.expiresAt,
    ...workOf(matter, options),
    ...(task.decision ? { decision: decisionOf(task, task.decision, options) } : {}),
    ...(task.status === 'held' ? { heldUntil: task.heldUntil } : {}),
    batch: batchOf(batch),
    policy: {
      rule: ruling.rule,
      version: ruling.version,
      // What the rule tests is no customer's business; their own arguments they see above.
      matched:
        options.surface === 'customer' ? [] : options.redactMatches(task.proposal.toolName, ruling.matched),
    },
    may,
    ...(Object.keys(mayNot).length === 0 ? {} : { mayNot }),
  };
};
