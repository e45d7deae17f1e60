/** One thread as it was last judged here: good for as long as the store has the same version of it. */
import { judgeFromModel, type JudgeState, type Model, type ThreadId } from '@triptych/protocol';
import { inputFor } from '../core/compose-input.js';
import type { Guard, PushAgent } from '../core/ports.js';
import type { ActiveRun, PushNow, PushStore } from '../core/push-store.js';
import { callsBegun, foldThread } from './fold-thread.js';
import type { CarryDeps } from './run-order.js';
import { RunWriter, type WriterRun } from './run-writer.js';
import { VersionedLog, type VersionedParts } from './versioned-log.js';

export interface PushDeps extends CarryDeps, Pick<VersionedParts, 'newVersion'> {
  readonly pushes: PushStore;
  /** How long events with positions wait for a missing one, ms. */
  readonly reorderWindowMs: number;
}

export interface PushDesk {
  readonly log: VersionedLog;
  model: Model;
  judge: JudgeState;
  /** Of the run under way. */
  writer?: RunWriter | undefined;
}

type Bearing = Pick<PushAgent, 'idempotent'>;

/** The run that the log tells of last. */
export const lastRunOf = ({ run }: Model): string | undefined =>
  typeof run?.started?.runId === 'string' ? run.started.runId : undefined;

/** A write that may have taken effect is not repeated here: its producer does that, and is judged anew. */
const writerOn = (
  deps: PushDeps,
  { log, model }: Pick<PushDesk, 'log' | 'model'>,
  run: WriterRun,
): RunWriter => new RunWriter({ ...deps, log, storeGraceMs: 0 }, run, model);

const writerFor = async (
  deps: PushDeps,
  { now, active, agent }: { readonly now: PushNow; readonly active: ActiveRun; readonly agent: Bearing },
  { log, model }: Pick<PushDesk, 'log' | 'model'>,
): Promise<RunWriter | undefined> => {
  const { thread } = now;
  const record = thread && (await deps.ledger.run(thread.threadId, active.runId));
  if (!thread || !record) return undefined;
  const { threadId } = thread;
  const { runId, term, started, warned } = active;
  const order = started ? undefined : await deps.pushes.orderOf(threadId);
  const statePatch = order ? inputFor({ threadId, runId, ...order }, model).statePatch : [];
  const lease = { thread: threadId, runId, term };
  const calls = started && record.tools ? await callsBegun(log, threadId, record.after) : [];
  const run = { lease, thread, record, idempotent: agent.idempotent, statePatch, warned, calls };
  const writer = writerOn(deps, { log, model }, run);
  writer.started = started;
  return writer;
};

const openDesk = async (deps: PushDeps, thread: ThreadId, now: PushNow): Promise<PushDesk> => {
  const { model, seq } = await foldThread(deps.log, thread);
  const { epoch } = await deps.log.read(thread, Number.MAX_SAFE_INTEGER, 1);
  const expected = { threadId: thread, runId: now.active?.runId ?? '', ...deps.eventLimits };
  return {
    log: new VersionedLog(deps, thread, { version: now.version, epoch, head: seq }),
    model,
    judge: judgeFromModel(model, expected, now.residue),
  };
};

interface Asked {
  readonly thread: ThreadId;
  readonly now: PushNow;
  readonly agent: Bearing;
}

const isWritersRun = ({ writer }: PushDesk, { active }: PushNow): boolean =>
  writer?.run.lease.runId === active?.runId && writer?.run.lease.term === active?.term;

/** The first run of a stream must be the one that was asked for. */
const awaitFirst = (
  deps: PushDeps,
  { thread, runId }: { readonly thread: ThreadId; readonly runId: string },
  desk: PushDesk,
): void => {
  if (desk.model.run) return;
  desk.judge = judgeFromModel(desk.model, { threadId: thread, runId, ...deps.eventLimits });
};

/** The next events are those of a run that is admitted with the first of them. */
export const beginOn = (deps: PushDeps, desk: PushDesk, run: WriterRun): void => {
  desk.writer = writerOn(deps, desk, run);
  awaitFirst(deps, run.lease, desk);
};

/** The desk for the thread as it is now: the known one brought up to date, or a new one from what is stored. */
export const deskFor = async (
  deps: PushDeps,
  asked: Asked,
  known: PushDesk | undefined,
): Promise<PushDesk> => {
  const { thread, now, agent } = asked;
  const fits = known && known.log.version === now.version && !known.log.isTorn;
  const desk = fits ? known : await openDesk(deps, thread, now);
  if (!isWritersRun(desk, now))
    desk.writer = now.active && (await writerFor(deps, { now, active: now.active, agent }, desk));
  if (now.active && !now.active.started) awaitFirst(deps, { thread, runId: now.active.runId }, desk);
  return desk;
};

/** The run under way is still this desk's. */
export const leaseGuards = ({ ledger, clock }: PushDeps, { writer }: PushDesk): readonly Guard[] =>
  writer ? ledger.writes(writer.run.lease, writer.run.thread, clock.now()).guards : [];
