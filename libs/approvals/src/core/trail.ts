/** Reads from what a batch was and what it becomes the records that this leaves in the trail. */
import { toldBy, type ToldBy } from '@triptych/access';
import {
  diffJson,
  type TaskEvent,
  type TrailActor,
  type TrailNote,
  type TrailSubject,
  type ToolMessage,
} from '@triptych/protocol';
import type { Batch, BatchStatus } from './batch.js';
import { hashOf, wellFormed } from './canonical.js';
import type { Cause } from './cause.js';
import type { Change } from './change.js';
import type { ResumeEnd } from './failure-classes.js';
import type { ShutCall } from './gates.js';
import { roleIn } from './matter.js';
import { argsOf, HUB, type Task } from './task.js';

type Members = Readonly<Record<string, unknown>>;

/** How one task changes, and why. */
interface Turn {
  readonly batch: Batch;
  readonly cause: Cause;
  readonly before?: Task;
  readonly after: Task;
}

export const BY_ITSELF: TrailActor = { id: HUB, via: 'system' };

/** A hub that ends what a person had begun acts by itself, though in their name. */
const whose = (cause: Cause, by: string, role: string | undefined): ToldBy => {
  if (cause === HUB) return { actor: { ...BY_ITSELF, id: by } };
  const told = toldBy(cause, role);
  return by === cause.subject ? told : { ...told, actor: { ...BY_ITSELF, id: by } };
};

/** The history is told line by line. */
const membersOf = ({ history: _history, ...rest }: Task): Members => ({ ...rest });

/** The members of `some` that `other` does not hold alike. */
const unlike = (some: Members, other: Members): Members =>
  Object.fromEntries(Object.entries(some).filter(([key, value]) => value !== other[key]));

const turned = ({ before, after }: Turn): Pick<TrailNote, 'before' | 'after'> => {
  if (!before) return { after: membersOf(after) };
  const [was, is] = [membersOf(before), membersOf(after)];
  return { before: unlike(was, is), after: unlike(is, was) };
};

/** What was said in a line, and what an edit made of the arguments. */
const saidIn = ({ action, text, pointer }: TaskEvent, { before, after }: Turn): Members => ({
  ...(text === undefined ? {} : { text }),
  ...(pointer === undefined ? {} : { pointer }),
  ...(action === 'edit' && before ? { diff: diffJson(argsOf(before), argsOf(after)) } : {}),
});

export const subjectOf = ({ facts }: Batch, task?: Task): TrailSubject => ({
  thread: facts.threadId,
  run: facts.runId,
  batch: facts.batchId,
  ...(task ? { task: task.taskId, interrupt: task.interruptId } : {}),
  ...(task?.toolCallId === undefined ? {} : { toolCall: task.toolCallId }),
});

const payloadHashIn = ({ decision, votes }: Task): Pick<TrailNote, 'payloadHash'> => {
  const hash = decision?.payloadHash ?? votes.at(-1)?.payloadHash;
  return hash === undefined ? {} : { payloadHash: hash };
};

const policyIdOf = ({ ruling }: Task): string => `${ruling.rule}@${ruling.version}`;

const noteOf = (turn: Turn, line: TaskEvent, isMain: boolean): TrailNote => {
  const { batch, cause, after } = turn;
  const { before: was, after: is } = isMain ? turned(turn) : {};
  return {
    tenant: batch.facts.tenant,
    ...whose(cause, line.by, roleIn(turn, line)),
    action: `task.${line.action}`,
    subject: subjectOf(batch, after),
    ...(was ? { before: was } : {}),
    after: { ...is, ...saidIn(line, turn) },
    proposalHash: after.proposalHash,
    ...payloadHashIn(after),
    policyId: policyIdOf(after),
  };
};

/** A claim that is renewed stays what it was: who held it from when to when is told by its beginning and its end. */
const isRenewal = (before: Task, after: Task): boolean => {
  const { claim: was, ...rest } = membersOf(before);
  const { claim: is, ...others } = membersOf(after);
  const isHeld = was !== undefined && is !== undefined && before.claim?.by === after.claim?.by;
  return isHeld && Object.keys(unlike(rest, others)).length + Object.keys(unlike(others, rest)).length === 0;
};

/** Each new line of its history is a record; the one that stands for the whole tells what became of the task. */
const taskNotes = (turn: Turn): readonly TrailNote[] => {
  const { before, after, cause } = turn;
  const known = new Set(before?.history);
  const lines = after.history.filter((line) => !known.has(line));
  const main = before ? lines.at(-1) : lines[0];
  if (main) return lines.map((line) => noteOf(turn, line, line === main));
  if (before && isRenewal(before, after)) return [];
  const by = cause === HUB ? HUB : cause.subject;
  return [noteOf(turn, { at: 0, by, action: 'change' }, true)];
};

const statusNote = (
  batch: Batch,
  cause: Cause,
  told: Required<Pick<TrailNote, 'action' | 'after'>> & Pick<TrailNote, 'before'>,
): TrailNote => ({
  tenant: batch.facts.tenant,
  ...whose(cause, cause === HUB ? HUB : cause.subject, roleIn({ batch, cause })),
  subject: subjectOf(batch),
  ...told,
});

/** Where a batch goes from here. */
export const statusNotes = (batch: Batch, status: BatchStatus, cause: Cause): readonly TrailNote[] => [
  statusNote(batch, cause, {
    action: `batch.${status.state}`,
    before: { ...batch.status },
    after: { ...status },
  }),
];

/** The run that asked has failed after all. */
export const failedLateNotes = (batch: Batch, at: number): readonly TrailNote[] => [
  statusNote(batch, HUB, { action: 'batch.run-failed-late', after: { at } }),
];

/** Which of its calls a client has answered; what it said is in the thread's log. */
const answersNote = (batch: Batch, answers: readonly ToolMessage[], cause: Cause): TrailNote => {
  const told = answers.map(({ toolCallId, content, error }) => ({
    toolCallId,
    contentHash: hashOf(content),
    ...(error === undefined ? {} : { error }),
  }));
  return statusNote(batch, cause, { action: 'batch.answer', after: { answers: told } });
};

/** AUD-1: what is read from the change itself, nobody can forget to tell. */
export const notesOf = (
  batch: Batch,
  change: Pick<Change, 'tasks' | 'status' | 'answers'>,
  cause: Cause,
): readonly TrailNote[] => [
  ...(change.answers ? [answersNote(batch, change.answers, cause)] : []),
  ...change.tasks.flatMap((after) => {
    const before = batch.tasks.find(({ taskId }) => taskId === after.taskId);
    return taskNotes({ batch, cause, after, ...(before ? { before } : {}) });
  }),
  ...(change.status ? statusNotes(batch, change.status, cause) : []),
];

export const openingNotes = (batch: Batch): readonly TrailNote[] => [
  statusNote(batch, HUB, { action: 'batch.open', after: { ...batch.facts } }),
  ...batch.tasks.flatMap((after) => taskNotes({ batch, cause: HUB, after })),
];

/** A deed that nobody had allowed; the agent answers for it. */
export const bypassNote = ({ batch, task, why }: ShutCall, runId: string): TrailNote => {
  const { tenant, agentId } = batch.facts;
  return {
    tenant,
    actor: { id: agentId, role: 'agent', via: 'agui' },
    action: 'task.gate-bypass',
    subject: { ...subjectOf(batch, task), run: runId },
    after: { state: why },
    proposalHash: task.proposalHash,
    policyId: policyIdOf(task),
  };
};

const endedNote = (batch: Batch, task: Task, end: ResumeEnd): TrailNote => {
  const { proposal, edit, decision } = task;
  const result = task.toolCallId === undefined ? undefined : end.resultOf?.(task.toolCallId);
  const { outcome, code } = end;
  return {
    tenant: batch.facts.tenant,
    actor: BY_ITSELF,
    action: 'task.result',
    subject: subjectOf(batch, task),
    after: {
      ...{ proposal, decision, outcome },
      ...(edit ? { edit } : {}),
      ...(code === undefined ? {} : { code }),
      ...(result === undefined ? {} : { resultHash: hashOf(wellFormed(result)) }),
    },
    proposalHash: task.proposalHash,
    ...payloadHashIn(task),
    policyId: policyIdOf(task),
  };
};

/** What came of the answers: one record a task holds the whole of it, from what was asked to what was done. */
export const endNotes = (batch: Batch, status: BatchStatus, end: ResumeEnd): readonly TrailNote[] =>
  status.state === 'done' ? batch.tasks.map((task) => endedNote(batch, task, end)) : [];
