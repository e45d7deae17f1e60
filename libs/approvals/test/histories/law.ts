/** What may leave for an agent, and when: each question once, by what people said of it, and nothing twice on a guess. */
import { isDeepStrictEqual } from 'node:util';
import type { Batch } from '../../src/core/batch.js';
import type { DecideCommand } from '../../src/core/command.js';
import type { ResumeEnd } from '../../src/core/failure-classes.js';
import { resumeEntries } from '../../src/core/resume-entries.js';
import type { Task } from '../../src/core/task.js';
import { toolMessages } from '../../src/core/tool-messages.js';
import { NOON } from '../bank.js';
import { Expected, RULES } from './expected.js';
import type { Ask, MENDS, Opening } from './moves.js';

/** As `opened` of the bank has it. */
const CALLS_UNTIL = NOON + 900_000;
const MAX_ATTEMPTS = 8;
const OVER: ReadonlySet<string> = new Set(['success', 'interrupt', 'cancelled']);

interface Said {
  readonly command: DecideCommand;
  readonly by: string;
  readonly now: number;
}

/** It is certain that nothing came of it, or the agent bears it twice. */
const mayGoAgain = ({ sent, idempotent, outcome, code = '', atStart = false }: ResumeEnd): boolean => {
  if (!sent) return true;
  if (outcome === 'lost' || code.startsWith('hub/')) return idempotent;
  return code === 'THREAD_BUSY' && atStart;
};

const isAsk = (what: string): what is Ask | 'payOut' => what in RULES;

/** Ten times as quick as an expectation, for what is looked at after every move. */
const hold = (is: unknown, wanted: unknown): void => {
  if (!isDeepStrictEqual(is, wanted)) expect(is).toEqual(wanted);
};

export class Law {
  readonly counts = new Map<string, number>();
  private readonly questions = new Map<string, Expected>();
  /** In the order they were asked: ids of interrupts, or of calls. */
  private readonly order: readonly string[];
  private readonly asks: ReadonlyMap<string, Ask | 'payOut'>;
  /** The client's own calls; undefined: not answered yet. */
  private readonly calls = new Map<string, 'mine' | 'expired' | undefined>();
  private isOver = false;
  private mayBeSent = true;
  private attempts = 0;
  private refused = false;
  private cancelled = false;

  constructor(opening: Opening, tasks: readonly Task[]) {
    const asked: readonly (readonly [id: string, what: string])[] =
      opening.kind === 'calls'
        ? opening.tools.map((tool, nth) => [`c${nth}`, tool])
        : opening.interrupts.map(({ ask }, nth) => [`i${nth}`, ask]);
    this.order = asked.map(([id]) => id);
    this.asks = new Map(asked.flatMap(([id, what]) => (isAsk(what) ? [[id, what] as const] : [])));
    for (const [id, ask] of this.asks) {
      const deadline = opening.kind === 'calls' ? null : opening.interrupts[Number(id.slice(1))]?.deadline;
      const times = {
        openedAt: NOON,
        ttlMs: tasks.find(({ interruptId }) => interruptId === id)?.ruling.ttlMs ?? 0,
        agentDeadline: deadline == null ? Infinity : NOON + deadline * 60_000,
      };
      this.questions.set(id, new Expected(id, ask, times));
    }
    for (const id of this.order) if (!this.questions.has(id)) this.calls.set(id, undefined);
  }

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  decided(id: string, { command, by, now }: Said): void {
    this.count(command.editedArgs === undefined ? command.verb : 'edit');
    this.questions.get(id)?.decided(command, by, now);
  }

  /** A resume that was taken names nothing twice, and nothing that was not asked. */
  tookWhole(ids: readonly string[]): void {
    this.count('resume');
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !this.questions.has(id))).toEqual([]);
  }

  resumed(id: string, { command, by, now, payload }: Said & { readonly payload: unknown }): void {
    const ask = this.asks.get(id);
    const isQuestion = ask !== undefined && RULES[ask].kind === 'question' && command.verb !== 'cancel';
    this.questions.get(id)?.decided(isQuestion ? { verb: 'respond', payload } : command, by, now);
  }

  undone(id: string, by: string, now: number): void {
    this.questions.get(id)?.undone(by, now);
  }

  answered(ids: readonly string[]): void {
    this.count('answer');
    for (const id of ids) {
      expect(this.calls.get(id)).toBeUndefined();
      this.calls.set(id, 'mine');
    }
  }

  mended(verb: (typeof MENDS)[number], now: number): void {
    this.count(`mend ${verb}`);
    this.mayBeSent = true;
    this.attempts = 0;
    if (verb === 'markDone') this.isOver = true;
    this.refused = verb === 'reopen';
    if (verb !== 'cancel') return;
    this.cancelled = true;
    for (const question of this.questions.values())
      if (!question.answer || question.answer.payload !== undefined) question.abandon('olga', now);
  }

  /** What time has done, and what was put to people once more. */
  reconcile({ tasks, answers = [] }: Batch, now: number): void {
    for (const { interruptId, status, decision } of tasks) {
      const question = this.questions.get(interruptId);
      if (!question) throw new Error(`nobody asked ${interruptId}`);
      if (status === 'open' && question.answer) this.askedAgain(question, now);
      if (decision?.kind === 'expired' && !question.answer?.expired) this.lapsed(question, now);
      hold([interruptId, status === 'open'], [interruptId, question.answer === undefined]);
    }
    const lapsed = answers.filter(({ toolCallId }) => this.calls.get(toolCallId) === undefined);
    for (const { toolCallId } of lapsed) {
      expect(now >= CALLS_UNTIL || this.cancelled).toBe(true);
      this.calls.set(toolCallId, 'expired');
    }
  }

  sent(batch: Batch, end: ResumeEnd, now: number): void {
    this.count(this.attempts === 0 ? 'send' : 'send again');
    this.attempts += 1;
    expect({ isOver: this.isOver, may: this.mayBeSent }).toEqual({ isOver: false, may: true });
    expect(this.attempts).toBeLessThanOrEqual(MAX_ATTEMPTS);
    if (batch.facts.frontend) this.lawfulMessages(batch, now);
    else this.lawfulResume(batch, now);
    this.isOver = OVER.has(end.outcome);
    this.mayBeSent = mayGoAgain(end);
    this.refused = end.sent && end.outcome === 'error' && end.code === 'INVALID_PAYLOAD';
  }

  private askedAgain(question: Expected, now: number): void {
    this.sentAnew();
    this.count('asked again');
    question.reopened(now);
  }

  /** Where an answer was refused, its question is put once more, if only to hear that it is too late. */
  private lapsed(question: Expected, now: number): void {
    if (question.answer && this.refused) this.sentAnew();
    question.expired(now);
  }

  private sentAnew(): void {
    expect(this.refused).toBe(true);
    this.mayBeSent = true;
    this.attempts = 0;
  }

  private lawfulResume(batch: Batch, now: number): void {
    const entries = resumeEntries(batch);
    expect(entries.map(({ interruptId }) => interruptId)).toEqual(this.order);
    for (const { interruptId, status, payload, metadata } of entries) {
      const told = this.questions.get(interruptId)?.toldAt(now);
      this.count(`entry ${status}`);
      const { actor } = (metadata as { hub: { actor: string } }).hub;
      expect({ interruptId, status, payload, actor }).toEqual({
        ...{ interruptId, payload: told?.payload, actor: told?.by },
        status: told?.payload === undefined ? 'cancelled' : 'resolved',
      });
    }
  }

  private lawfulMessages(batch: Batch, now: number): void {
    const messages = toolMessages({ batch, entries: resumeEntries(batch) });
    expect(messages.map(({ toolCallId }) => toolCallId)).toEqual(this.order);
    for (const { toolCallId, content, error } of messages) {
      const told = this.questions.get(toolCallId)?.toldAt(now);
      this.count(`message ${error ?? 'result'}`);
      if (this.calls.has(toolCallId))
        expect([toolCallId, error ?? content]).toEqual([
          toolCallId,
          this.calls.get(toolCallId) === 'mine' ? '"mine"' : 'expired',
        ]);
      else if (told?.payload === undefined)
        expect([toolCallId, error]).toEqual([toolCallId, told && (told.expired ? 'expired' : 'cancelled')]);
      else
        expect([toolCallId, error, JSON.parse(content as string)]).toEqual([
          toolCallId,
          undefined,
          told.payload,
        ]);
    }
  }
}
