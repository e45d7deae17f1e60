/** Reads the `resume` of an AG-UI client as decisions of its caller: all of them count, or none. */
import { forbidden, type Actor, type Ruling } from '@triptych/access';
import { ok, refuse, type ResumeEntry, type Result } from '@triptych/protocol';
import { unfit } from './answer.js';
import { stillOpen } from './barrier.js';
import { openTasks, taskIn, type Batch } from './batch.js';
import { joined, NO_CHANGE, withChange, type Change } from './change.js';
import type { DecideCommand } from './command.js';
import { decide } from './decide.js';
import { noteLate } from './late.js';
import { mayRead, mends, permits, type Matter } from './matter.js';
import { offerTo } from './may.js';
import type { Task } from './task.js';

export interface ResumeAsked {
  readonly batch: Batch;
  readonly actor: Actor;
  readonly now: number;
  readonly entries: readonly ResumeEntry[];
  /** The rule that other arguments of a task would fall under. */
  readonly ruleOn: (task: Task, args: unknown) => Ruling;
  /** Puts back what the caller was not shown. */
  readonly unhidden: (matter: Matter, command: DecideCommand) => DecideCommand;
  /** Interrupts of this thread that were closed with an earlier batch. */
  readonly closedBefore: ReadonlySet<string>;
}

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const hasOnly = (value: Json, keys: readonly string[]): boolean =>
  Object.keys(value).every((key) => keys.includes(key));

const wrong = (interruptId: string, error: string): Result<never> =>
  unfit([{ pointer: '', error: `${interruptId}: ${error}` }]);

/** Of a client's metadata only what it says it has seen is read. */
const seenBy = ({ metadata }: ResumeEntry): Pick<DecideCommand, 'rev' | 'proposalHash'> => {
  const hub = isObject(metadata) ? metadata.hub : undefined;
  if (!isObject(hub)) return {};
  return {
    ...(typeof hub.rev === 'number' ? { rev: hub.rev } : {}),
    ...(typeof hub.proposalHash === 'string' ? { proposalHash: hub.proposalHash } : {}),
  };
};

const decisionCommand = ({ interruptId, payload }: ResumeEntry): Result<DecideCommand> => {
  if (isObject(payload) && payload.approved === true && hasOnly(payload, ['approved', 'editedArgs']))
    return ok({ verb: 'approve', editedArgs: payload.editedArgs });
  const { approved, reason } = isObject(payload) ? payload : {};
  if (approved === false && hasOnly(payload as Json, ['approved', 'reason']))
    if (reason === undefined || typeof reason === 'string') return ok({ verb: 'reject', reason });
  return wrong(interruptId, 'answer {approved:true[,editedArgs]} or {approved:false[,reason]}.');
};

/** An entry as the decision it stands for. */
export const commandOf = (task: Task, entry: ResumeEntry): Result<DecideCommand> => {
  const seen = seenBy(entry);
  if (entry.status === 'cancelled')
    return entry.payload === undefined
      ? ok({ verb: 'cancel', ...seen })
      : wrong(entry.interruptId, 'a payload does not go with cancelled.');
  if (task.kind === 'question') return ok({ verb: 'respond', payload: entry.payload, ...seen });
  const command = decisionCommand(entry);
  return command.ok ? ok({ ...command.value, ...seen }) : command;
};

const matterOf = ({ batch, actor, now }: ResumeAsked, task: Task): Matter => ({ batch, task, actor, now });

/** Whether this is a person such a task is put to, whatever has become of it since. */
const mayAnswer = (matter: Matter): boolean => {
  const verbs = matter.task.kind === 'decision' ? (['approve', 'reject'] as const) : (['respond'] as const);
  return verbs.some((verb) => permits(matter, verb)) || (mends(matter) && permits(matter, 'cancel'));
};

/** Open, theirs to answer now, and not answered by them yet. */
const isAwaited = (matter: Matter): boolean => {
  const { task, actor } = matter;
  if (task.votes.some(({ by }) => by === actor.subject)) return false;
  const { may } = offerTo(matter);
  const answers = may.some((action) => action === 'approve' || action === 'reject' || action === 'respond');
  return answers || (mends(matter) && may.includes('cancel'));
};

const repeated = (entries: readonly ResumeEntry[]): string | undefined =>
  entries.find(({ interruptId }, i) => entries.findIndex((other) => other.interruptId === interruptId) !== i)
    ?.interruptId;

const taskOf = ({ batch }: ResumeAsked, { interruptId }: ResumeEntry): Task | undefined =>
  batch.tasks.find((task) => task.interruptId === interruptId);

/** Abandoning what is closed already asks for nothing: stock clients do it for every interrupt they remember. */
const isIdle = (asked: ResumeAsked, entry: ResumeEntry): boolean => {
  if (entry.status !== 'cancelled') return false;
  const task = taskOf(asked, entry);
  return task ? task.status !== 'open' : asked.closedBefore.has(entry.interruptId);
};

/** The entries that ask for something; empty: the input is to be judged as one without a resume. */
const askedFor = (asked: ResumeAsked): Result<readonly ResumeEntry[]> => {
  const twice = repeated(asked.entries);
  if (twice !== undefined) return refuse('DUPLICATE_INTERRUPT', { details: { interruptId: twice } });
  return ok(asked.entries.filter((entry) => !isIdle(asked, entry)));
};

const complete = (asked: ResumeAsked, entries: readonly ResumeEntry[]): Result<true> => {
  if (!asked.batch.tasks.some((task) => mayAnswer(matterOf(asked, task))))
    return forbidden('none of the open questions is yours to answer');
  const stranger = entries.find((entry) => {
    const task = taskOf(asked, entry);
    return !task || !mayRead(matterOf(asked, task));
  });
  if (stranger) return refuse('UNKNOWN_INTERRUPT', { details: { interruptId: stranger.interruptId } });
  // A batch that is not open asks for nothing any more, so that nothing of it can be missing.
  if (asked.batch.status.state !== 'open') return ok(true);
  const given = new Set(entries.map(({ interruptId }) => interruptId));
  const missing = openTasks(asked.batch)
    .filter((task) => !given.has(task.interruptId) && isAwaited(matterOf(asked, task)))
    .map(({ interruptId }) => interruptId);
  return missing.length === 0 ? ok(true) : refuse('INCOMPLETE_RESUME', { details: { missing } });
};

/** Each entry is judged on top of the ones before it. */
const decideAll = (asked: ResumeAsked, entries: readonly ResumeEntry[]): Result<Change> => {
  let change = NO_CHANGE;
  for (const entry of entries) {
    const batch = withChange(asked.batch, change);
    const task = taskIn(batch, taskOf(asked, entry)?.taskId ?? '');
    if (!task) return refuse('UNKNOWN_INTERRUPT');
    const matter = { batch, task, actor: asked.actor, now: asked.now };
    const command = commandOf(task, entry);
    if (!command.ok) {
      const open = stillOpen(matter);
      return open.ok ? command : open;
    }
    const whole = asked.unhidden(matter, command.value);
    const judged = decide(matter, whole, (args) => asked.ruleOn(task, args));
    if (!judged.ok) return judged;
    change = joined(change, judged.value);
  }
  return ok(change);
};

/** Of a resume that was refused: the decisions in it that lost to others. */
export const lateIn = (asked: ResumeAsked): Change => {
  let change = NO_CHANGE;
  for (const entry of asked.entries) {
    const batch = withChange(asked.batch, change);
    const task = taskIn(batch, taskOf(asked, entry)?.taskId ?? '');
    const command = task && commandOf(task, entry);
    if (!task || !command?.ok || isIdle(asked, entry)) continue;
    const matter = { batch, task, actor: asked.actor, now: asked.now };
    change = joined(change, noteLate(matter, asked.unhidden(matter, command.value)));
  }
  return change;
};

/** undefined: nothing is left to answer, and the input is judged as one without a resume. */
export const judgeResume = (asked: ResumeAsked): Result<Change | undefined> => {
  const entries = askedFor(asked);
  if (!entries.ok) return entries;
  if (entries.value.length === 0) return ok(undefined);
  const whole = complete(asked, entries.value);
  return whole.ok ? decideAll(asked, entries.value) : whole;
};
