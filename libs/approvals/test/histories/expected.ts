/** Knows by the words of the policy alone what an agent may be told of one question: kept beside the product, from what people said. */
import type { DecideCommand } from '../../src/core/command.js';
import type { Ask } from './moves.js';

interface Rule {
  readonly kind: 'decision' | 'question';
  readonly needs: number;
  readonly undoMs?: number;
  /** Of the arguments, where there are some. */
  readonly amount?: number;
}
/** As the bank's policy has them. */
export const RULES: Readonly<Record<Ask | 'payOut', Rule>> = {
  confirmation: { kind: 'decision', needs: 1 },
  'bank:ask': { kind: 'question', needs: 1 },
  'bank:pair': { kind: 'question', needs: 2 },
  'bank:slip': { kind: 'decision', needs: 1, undoMs: 60_000 },
  'bank:slips': { kind: 'question', needs: 2, undoMs: 60_000 },
  'bank:brief': { kind: 'question', needs: 1, undoMs: 150 },
  'bank:wait': { kind: 'question', needs: 1 },
  input_required: { kind: 'question', needs: 1 },
  'small transfer': { kind: 'decision', needs: 1, amount: 500 },
  'large transfer': { kind: 'decision', needs: 2, amount: 2_000 },
  payOut: { kind: 'decision', needs: 1, amount: 5 },
};
/** From there on two have to agree, neither of them its editor. */
const LARGE = 1_000;
/** An answer is not held until no time is left to send it. */
const SENDING_MS = 1_000;

interface Answer {
  readonly by: string;
  readonly deciders: readonly string[];
  /** Absent: nobody answered, or somebody gave up. */
  readonly payload?: unknown;
  readonly expired?: true;
  /** Until then it can be taken back. */
  readonly from: number;
}

interface Said {
  readonly votes: ReadonlyMap<string, string>;
  readonly edit?: { readonly by: string; readonly args: unknown };
}

export interface Times {
  readonly openedAt: number;
  readonly ttlMs: number;
  readonly agentDeadline: number;
}

const words = (value: unknown): string => JSON.stringify(value);
const amountOf = (args: unknown): number => (args as { amount?: number } | undefined)?.amount ?? 0;

export class Expected {
  answer: Answer | undefined;
  private said: Said = { votes: new Map() };
  private before: Said = this.said;
  private endsAt: number;
  private readonly rule: Rule;

  constructor(
    readonly id: string,
    ask: Ask | 'payOut',
    private readonly times: Times,
  ) {
    this.rule = RULES[ask];
    this.endsAt = Math.min(times.openedAt + times.ttlMs, times.agentDeadline);
  }

  /** Somebody's decision that was taken. */
  decided(command: DecideCommand, by: string, now: number): void {
    expect(this.answer).toBeUndefined();
    expect(now).toBeLessThan(this.endsAt);
    this.before = this.said;
    const { verb, reason } = command;
    if (verb === 'cancel') this.abandon(by, now);
    else if (verb === 'reject')
      this.settle({ approved: false, ...(reason === undefined ? {} : { reason }) }, [by], now);
    else this.vote(command, by, now);
  }

  undone(by: string, now: number): void {
    const { answer } = this;
    expect(answer).toMatchObject({ payload: expect.anything() });
    expect(now).toBeLessThan(answer?.from ?? 0);
    const deciders = answer?.deciders ?? [];
    expect([...deciders, 'sven']).toContain(by);
    this.answer = undefined;
    const votes = new Map([...this.before.votes].filter(([voter]) => !deciders.includes(voter)));
    this.said = { ...this.before, votes };
  }

  abandon(by: string, now: number): void {
    this.answer = { by, deciders: [by], from: now };
  }

  /** Nobody answered in time, or the agent takes no answer any more. */
  expired(now: number): void {
    expect(now).toBeGreaterThanOrEqual(
      this.answer?.payload === undefined ? this.endsAt : this.times.agentDeadline,
    );
    this.answer = { by: 'hub', deciders: [], from: now, expired: true };
  }

  /** Put once more: whatever was said is void. */
  reopened(now: number): void {
    this.answer = undefined;
    this.said = { ...this.said, votes: new Map() };
    this.endsAt = Math.min(now + this.times.ttlMs, this.times.agentDeadline);
    expect(now).toBeLessThan(this.endsAt);
  }

  /** What its agent may be told now; undefined: nothing. */
  toldAt(now: number): Pick<Answer, 'by' | 'payload' | 'expired'> | undefined {
    const { answer } = this;
    if (!answer || now < answer.from) return undefined;
    return answer.payload !== undefined && this.times.agentDeadline <= now
      ? { by: 'hub', expired: true }
      : answer;
  }

  private vote({ verb, payload, editedArgs }: DecideCommand, by: string, now: number): void {
    const stands = words(this.said.edit ? this.said.edit.args : { amount: this.rule.amount });
    if (editedArgs !== undefined && words(editedArgs) !== stands)
      this.said = { votes: new Map(), edit: { by, args: editedArgs } };
    const { edit } = this.said;
    const answer = verb === 'respond' ? payload : { approved: true, ...(edit && { editedArgs: edit.args }) };
    const isLarge = this.isLarge(edit?.args);
    if (isLarge && edit?.by === by) return;
    this.said = { ...this.said, votes: new Map([...this.said.votes, [by, words(answer)]]) };
    const agreed = [...this.said.votes].filter(([, vote]) => vote === words(answer)).map(([voter]) => voter);
    if (agreed.length >= (isLarge ? 2 : this.rule.needs)) this.settle(answer, agreed, now, by);
  }

  /** By what was proposed, or by what it was made. */
  private isLarge(args: unknown): boolean {
    const { amount } = this.rule;
    return amount !== undefined && Math.max(amount, amountOf(args)) >= LARGE;
  }

  private settle(payload: unknown, deciders: readonly string[], now: number, by = deciders[0] ?? ''): void {
    const until = Math.min(now + (this.rule.undoMs ?? 0), this.endsAt - SENDING_MS);
    this.answer = { by, deciders, payload, from: Math.max(now, until) };
  }
}
