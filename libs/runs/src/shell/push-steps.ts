/** Takes a push one step further: one write, after which everything is looked at anew. */
import { judge, judgeFromModel, judgeResidue, refuse, type Result } from '@triptych/protocol';
import { codeOf } from '../core/judge-batch.js';
import { judgePortion } from '../core/judge-portion.js';
import type { PushAnswer, PushItem } from '../core/push-batch.js';
import type { PushCourse } from '../core/push-course.js';
import type { Rider } from '../core/ports.js';
import type { PushMark } from '../core/push-store.js';
import { endingOf } from '../core/run-end.js';
import type { AdmittedRun } from '../core/run-record.js';
import { findingRiders } from '../adapters/findings.js';
import { warningsFound } from '../core/findings.js';
import { storeLateError } from './between-runs.js';
import { PushAdmissions } from './push-admissions.js';
import { beginOn, leaseGuards, type PushDeps, type PushDesk } from './push-desk.js';
import { refusalRiders } from './push-refusals.js';
import { holdAfter, type PushAt } from './push-standing.js';
import type { Made, PushFault } from './push-tally.js';
import type { RunWriter } from './run-writer.js';
import { Outrun } from './versioned-log.js';

export type Stepped =
  | { readonly is: 'again' }
  /** Somebody else was faster. */
  | { readonly is: 'outrun' }
  | { readonly is: 'over'; readonly answer: Result<PushAnswer> };

/** Refused events kept in one write. */
const MAX_REST = 64;
/** They have a course of their own, whatever went before. */
const ELSEWHERE: ReadonlySet<string> = new Set(['RUN_STARTED', 'RUN_ERROR']);
/** A refused busy thread is worth another try after this, ms. */
const BUSY_RETRY_MS = 1_000;

const AGAIN: Stepped = { is: 'again' };
const RUN_OVER: PushFault = { rule: 'run-over', message: 'The run it belongs to is over.' };
const TAKEN: PushFault = { rule: 'thread-taken', message: 'Another run holds the thread.' };
const NO_RUN: PushFault = { rule: 'first-event', message: 'A run begins with RUN_STARTED.' };

export class PushSteps {
  private readonly admissions: PushAdmissions;

  constructor(private readonly deps: PushDeps) {
    this.admissions = new PushAdmissions(deps);
  }

  async take(course: PushCourse, at: PushAt, item: PushItem): Promise<Stepped> {
    switch (course) {
      case 'run':
        return this.run(at);
      case 'begin':
        return this.begin(at, item);
      case 'busy':
        return this.busy(at, item);
      case 'late-error':
      case 'late-mark':
        return this.late(at, item, course);
      case 'rest':
        return this.rest(at, RUN_OVER);
      case 'fault':
        return this.fault(at, at.now.producer?.run ? RUN_OVER : NO_RUN);
    }
  }

  /** Its producer is at work, though it has nothing to say. */
  async heard(at: PushAt): Promise<void> {
    const { now } = at;
    if (!now.active || now.producer?.run !== now.active.runId) return;
    await this.note(at, 0);
  }

  private async run(at: PushAt): Promise<Stepped> {
    const { tally, desk } = at;
    const { writer } = desk;
    if (!writer) throw new Outrun('the run ended meanwhile');
    const portion = judgePortion(desk.judge, tally.request.items.slice(tally.done));
    if (portion.fault && tally.isLate && (writer.started || writer.run.admission))
      return this.leaveOut(at, portion.fault);
    desk.judge = portion.state;
    const { legal, loose, taken, fault } = portion;
    this.mark(at, { count: taken, run: writer.run.lease.runId });
    if (legal.length > 0) await writer.write(legal, loose);
    else if (taken > 0) await this.note(at, taken, writer.findings(loose));
    if (isTooLarge(writer)) {
      tally.faulty({ rule: 'too-large', message: 'The conversation grew beyond what is allowed.' });
      tally.refused += taken;
    } else tally.accepted += taken;
    if (fault && !writer.ending) await this.fail(at, writer, fault);
    this.settle(at, writer);
    return AGAIN;
  }

  /** A run that goes on well is not ended by what came too late. */
  private leaveOut(at: PushAt, fault: PushFault & { readonly text: string }): Promise<Stepped> {
    at.desk.log.isTorn = true;
    return this.refuse(at, fault, fault);
  }

  private async fail(
    at: PushAt,
    writer: RunWriter,
    fault: NonNullable<ReturnType<typeof judgePortion>['fault']>,
  ): Promise<void> {
    const { thread } = at.tally.request;
    this.deps.report('run.protocol-violation', { thread, rule: fault.rule });
    this.mark(at, { count: 1, run: writer.run.lease.runId, fault });
    const riders = await refusalRiders(this.deps, at, { what: fault, texts: [fault.text] });
    await writer.fail(codeOf(fault), riders);
    at.tally.faulty(fault);
    at.tally.refused += 1;
  }

  /** What the hub itself ended, the judge has not seen end. */
  private settle({ tally, desk }: PushAt, writer: RunWriter): void {
    desk.model = writer.model;
    if (!writer.ending) return;
    desk.writer = undefined;
    const { ending } = writer;
    if (ending.status !== 'failed' || !ending.code?.startsWith('hub/')) return;
    const expected = { threadId: tally.request.thread, runId: '', ...this.deps.eventLimits };
    desk.judge = judgeFromModel(desk.model, expected);
  }

  private async begin(at: PushAt, item: PushItem): Promise<Stepped> {
    const admitted = await this.admissions.prepare(at, item);
    switch (admitted.is) {
      case 'free':
        beginOn(this.deps, at.desk, admitted.run);
        return this.run(at);
      case 'active':
        return AGAIN;
      case 'busy':
        return this.busy(at, item);
      case 'not-found':
        return { is: 'over', answer: refuse('NOT_FOUND') };
      case 'fault':
        // What nobody has begun has nowhere to be kept.
        if (!at.now.thread)
          return { is: 'over', answer: refuse('INVALID_INPUT', refusalOf(at, admitted.what)) };
        return this.refuse(at, item, admitted.what);
    }
  }

  private async busy(at: PushAt, item: PushItem): Promise<Stepped> {
    const { tally } = at;
    if (tally.isLate) return this.refuse(at, item, TAKEN);
    const details = { accepted: tally.acceptedInAll };
    return { is: 'over', answer: refuse('THREAD_BUSY', { retryAfterMs: BUSY_RETRY_MS, details }) };
  }

  private fault(at: PushAt, what: PushFault): Promise<Stepped> {
    this.deps.report('run.protocol-violation', { thread: at.tally.request.thread, rule: what.rule });
    at.tally.faulty(what);
    return this.rest(at, what);
  }

  /** What comes before anything that may belong somewhere else. */
  private async rest(at: PushAt, what: PushFault): Promise<Stepped> {
    const { tally, desk, now } = at;
    const left = tally.request.items.slice(tally.done, tally.done + MAX_REST);
    const end = left.findIndex(({ type }, nth) => nth > 0 && ELSEWHERE.has(type));
    const rest = end < 0 ? left : left.slice(0, end);
    const { thread } = tally.request;
    const riders = await refusalRiders(this.deps, at, { what, texts: rest.map(({ text }) => text) });
    this.mark(at, { count: rest.length, run: now.producer?.run ?? '', fault: what });
    await desk.log.append({ thread, events: [], riders });
    tally.refused += rest.length;
    return AGAIN;
  }

  /** It is kept for the operator alone. */
  async refuse(at: PushAt, { text }: Pick<PushItem, 'text'>, what: PushFault): Promise<Stepped> {
    const { tally, desk, now } = at;
    const { thread } = tally.request;
    this.deps.report('run.protocol-violation', { thread, rule: what.rule });
    this.mark(at, { count: 1, run: now.producer?.run ?? '', fault: what });
    const riders = await refusalRiders(this.deps, at, { what, texts: [text] });
    await desk.log.append({ thread, events: [], riders });
    tally.faulty(what);
    tally.refused += 1;
    return AGAIN;
  }

  private async late(at: PushAt, item: PushItem, course: 'late-error' | 'late-mark'): Promise<Stepped> {
    const { tally, desk, now } = at;
    const { thread: threadId } = tally.request;
    const runId = now.producer?.run ?? '';
    const record = await this.deps.ledger.run(threadId, runId);
    const judged = judge(desk.judge, item.text);
    const [error] = judged.ok ? judged.events : [];
    if (!judged.ok || !now.thread || !record || !error) return this.refuse(at, item, RUN_OVER);
    const lease = { thread: threadId, runId, term: now.begun };
    const last: AdmittedRun = { lease, thread: now.thread, record };
    this.mark(at, { count: 1, run: runId });
    const stored = { json: error.json, source: 'agent' as const };
    const riders = findingRiders(threadId, warningsFound(judged.warnings, { runId, kept: 0 }));
    if (course === 'late-error')
      await storeLateError({ ...this.deps, log: desk.log, storeGraceMs: 0 }, last, {
        ...endingOf(error.event),
        stored,
        riders,
      });
    else await this.markFailed(desk, last, riders);
    tally.accepted += 1;
    // Whether it was stored or only marked is read anew.
    desk.log.isTorn = true;
    return AGAIN;
  }

  private async markFailed(
    desk: PushDesk,
    { lease, thread, record }: AdmittedRun,
    riders: readonly Rider[],
  ): Promise<void> {
    const at = this.deps.clock.now();
    const failed = { ...record, status: 'failed' as const, endedAt: at };
    const { marking } = this.deps.ledger.writes(lease, thread, at).failedLate(failed);
    const asked = await this.deps.closings.failedLateFor({ threadId: lease.thread, runId: lease.runId });
    await desk.log.append({ thread: lease.thread, events: [], riders: [...marking, ...riders, ...asked] });
  }

  /** Counts events of which nothing is stored. */
  private async note(at: PushAt, count: number, riders: readonly Rider[] = []): Promise<void> {
    const { desk } = at;
    this.mark(at, { count, run: at.now.active?.runId ?? '' });
    const guards = leaseGuards(this.deps, desk);
    await desk.log.append({ thread: at.tally.request.thread, events: [], guards, riders });
  }

  private mark(at: PushAt, made: Pick<Made, 'count' | 'run' | 'fault'>): void {
    const { tally, now, desk } = at;
    const hold = made.run === now.active?.runId ? holdAfter(at) : undefined;
    const mark: Omit<PushMark, 'version'> = {
      // What a torn desk's judge has seen is not so.
      ...(desk.log.isTorn ? {} : { residue: judgeResidue(desk.judge) }),
      ...tally.marking({ ...made, at: now.now, known: now.producer }),
      ...(hold ? { hold } : {}),
    };
    const isCancelled = now.active?.cancelled ?? false;
    desk.log.marking(mark, [this.deps.pushes.cancelGuard(tally.request.thread, isCancelled)]);
  }
}

const isTooLarge = ({ ending }: RunWriter): boolean =>
  ending?.status === 'failed' && ending.code === 'hub/too-large';

const refusalOf = ({ tally }: PushAt, { rule, message, pointer }: PushFault) => ({
  message,
  details: { pointer: tally.pointerTo(tally.done, pointer), rule, accepted: 0 },
});
