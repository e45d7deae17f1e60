/** Plays a history on a batch, and holds all that happens against what may happen. */
import type { ResumeEntry, Result, ToolMessage } from '@triptych/protocol';
import { assign } from '../../src/core/assign.js';
import { callsWaiting, type Batch } from '../../src/core/batch.js';
import { isNoChange, withChange, type Change } from '../../src/core/change.js';
import { claim, heartbeat, release, takeover } from '../../src/core/claim.js';
import { comment } from '../../src/core/comment.js';
import type { DecideCommand } from '../../src/core/command.js';
import { decide, type RuleOn } from '../../src/core/decide.js';
import { planDispatch } from '../../src/core/dispatch.js';
import { applyDue } from '../../src/core/due.js';
import { extend } from '../../src/core/extend.js';
import { takeAnswers } from '../../src/core/frontend-calls.js';
import { undo } from '../../src/core/hold.js';
import { isTooLate, noteLate } from '../../src/core/late.js';
import { mayRead, type Matter } from '../../src/core/matter.js';
import { cancel, markDone, reopen, retry } from '../../src/core/mend.js';
import { judgeResume } from '../../src/core/resume-door.js';
import { statusAfter } from '../../src/core/settlement.js';
import type { Task } from '../../src/core/task.js';
import { NOON, olga, opened, APPROVAL_SCHEMA, ruleOnTransfer } from '../bank.js';
import { Law } from './law.js';
import { PEOPLE, type Decide, type History, type Interrupted, type Move, type Opening } from './moves.js';

const MINUTE = 60_000;
const OF_ITS_HOLDER: ReadonlySet<string> = new Set(['release', 'heartbeat', 'undo']);
const MEND = { retry, reopen, cancel, markDone } as const;

const interruptOf = ({ ask, deadline }: Interrupted, nth: number) => ({
  id: `i${nth}`,
  reason: ask.endsWith('transfer') ? 'tool_call' : ask,
  ...(ask.endsWith('transfer') ? { toolCallId: `c${nth}` } : {}),
  ...(ask.endsWith('transfer') || ask === 'bank:slip' ? { responseSchema: APPROVAL_SCHEMA } : {}),
  ...(deadline === null ? {} : { expiresAt: new Date(NOON + deadline * MINUTE).toISOString() }),
});

const callOf = (name: string, amount: number) => ({ name, argsText: JSON.stringify({ amount }) });

const openWith = (opening: Opening): Batch => {
  if (opening.kind === 'calls')
    return opened({
      interrupts: [],
      pending: opening.tools.map((_, nth) => `c${nth}`),
      calls: Object.fromEntries(opening.tools.map((tool, nth) => [`c${nth}`, callOf(tool, 5)])),
    });
  const { agentId, interrupts } = opening;
  const amounts = interrupts.map(
    ({ ask }, nth) => [`c${nth}`, ask === 'large transfer' ? 2_000 : 500] as const,
  );
  return opened({
    agentId,
    interrupts: interrupts.map(interruptOf),
    calls: Object.fromEntries(amounts.map(([id, amount]) => [id, callOf('transfer', amount)])),
  });
};

const ruleFor =
  (task: Task): RuleOn =>
  (args) =>
    task.proposal.toolName === 'transfer' ? ruleOnTransfer(args) : task.ruling;

/** The same as an AG-UI client would say it. */
const entryOf = (interruptId: string, { verb, payload, editedArgs, reason }: DecideCommand): ResumeEntry => {
  if (verb === 'cancel') return { interruptId, status: 'cancelled' };
  const said = {
    approve: { approved: true, ...(editedArgs === undefined ? {} : { editedArgs }) },
    reject: { approved: false, ...(reason === undefined ? {} : { reason }) },
    respond: payload,
  };
  return { interruptId, status: 'resolved', payload: said[verb] };
};

/** The same in words that the task takes. */
const fitting = ({ kind }: Task, command: DecideCommand): DecideCommand => {
  if (command.verb === 'cancel') return command;
  if (kind === 'question' && command.verb !== 'respond')
    return { verb: 'respond', payload: command.verb === 'approve' ? 1 : 0 };
  return kind === 'decision' && command.verb === 'respond' ? { verb: 'approve' } : command;
};

export class Story {
  private batch: Batch;
  private now = NOON + 1;
  readonly law: Law;

  constructor({ opening }: History) {
    this.batch = openWith(opening);
    this.law = new Law(opening, this.batch.tasks);
  }

  play(move: Move): void {
    switch (move.kind) {
      case 'decide':
        return this.decide(move);
      case 'bulk':
        for (const nth of this.batch.tasks.keys())
          this.decide({ ...move, kind: 'decide', nth, stale: false });
        return undefined;
      case 'work':
        return this.work(move);
      case 'resume':
        return this.resume(move);
      case 'answer':
        return this.answer();
      case 'wait':
        this.now += move.ms;
        return move.looked ? this.commit(applyDue(this.batch, this.now)) : undefined;
      case 'send':
        return this.send(move);
      case 'mend':
        return this.mend(move.verb);
    }
  }

  /** Whoever is no candidate is told that there is nothing. */
  private matter(nth: number, actor: Matter['actor']): Matter | undefined {
    const { batch, now } = this;
    const task = batch.tasks[nth % batch.tasks.length];
    const matter = task && { batch, task, actor, now };
    return matter && mayRead(matter) ? matter : undefined;
  }

  private commit(change: Change): void {
    this.batch = withChange(this.batch, change);
    this.law.reconcile(this.batch, this.now);
  }

  private decide({ who, nth, command: meant, stale }: Decide): void {
    const matter = this.matter(nth, who);
    if (!matter) return;
    const { task } = matter;
    const { proposalHash } = task;
    const command = stale ? meant : fitting(task, meant);
    const judged = decide(
      matter,
      { ...command, rev: task.rev - (stale ? 1 : 0), proposalHash },
      ruleFor(task),
    );
    if (judged.ok && isNoChange(judged.value)) return;
    if (!judged.ok) return isTooLate(judged.refusal) ? this.commit(noteLate(matter, command)) : undefined;
    expect(stale).toBe(false);
    this.law.decided(task.interruptId, { command, by: who.subject, now: this.now });
    this.commit(judged.value);
  }

  private resume({ who, whole, entries }: Extract<Move, { kind: 'resume' }>): void {
    const { batch, now } = this;
    if (batch.facts.frontend) return;
    const about = batch.tasks.map((task, nth) => {
      const { command } = entries[nth % entries.length] ?? { command: { verb: 'cancel' } };
      return { nth, command: fitting(task, command) };
    });
    const asked = (whole ? about : entries).map(({ nth, command }) => {
      const id = `i${nth}`;
      return { id, command, entry: entryOf(id, command) };
    });
    const judged = judgeResume({
      ...{
        batch,
        now,
        actor: who,
        entries: asked.map(({ entry }) => entry),
        closedBefore: new Set<string>(),
      },
      ruleOn: (task, args) => ruleFor(task)(args),
      unhidden: (_matter, command) => command,
    });
    if (!judged.ok || !judged.value || isNoChange(judged.value)) return;
    const change = judged.value;
    this.law.tookWhole(asked.map(({ id }) => id));
    for (const { id, command, entry } of asked)
      if (change.tasks.some(({ interruptId }) => interruptId === id))
        this.law.resumed(id, { command, by: who.subject, now, payload: entry.payload });
    this.commit(change);
  }

  private work(move: Extract<Move, { kind: 'work' }>): void {
    const { verb, pick } = move;
    const { tasks } = this.batch;
    // Mostly by whoever can: whose claim or answer it is.
    const theirs = tasks.findIndex(({ status, claim: held }) => (verb === 'undo' ? status === 'held' : held));
    const { claim: held, decision } = tasks[theirs] ?? {};
    const holder = PEOPLE.find(({ subject }) => subject === (held?.by ?? decision?.by[0]));
    const isTheirs = OF_ITS_HOLDER.has(verb) && pick > 0 && holder !== undefined;
    const [nth, who] = isTheirs ? [theirs, holder] : [move.nth, move.who];
    const matter = this.matter(nth, who);
    if (!matter) return;
    const judged = this.worked(matter, verb, pick);
    if (!judged.ok || isNoChange(judged.value)) return;
    if (verb === 'undo') this.law.undone(matter.task.interruptId, who.subject, this.now);
    this.law.count(verb);
    this.commit(judged.value);
  }

  private worked(
    matter: Matter,
    verb: Extract<Move, { kind: 'work' }>['verb'],
    pick: number,
  ): Result<Change> {
    const { rev } = matter.task;
    switch (verb) {
      case 'claim':
        return claim(matter);
      case 'release':
        return release(matter);
      case 'heartbeat':
        return heartbeat(matter);
      case 'takeover':
        return takeover(matter, { rev, reason: 'Now.' });
      case 'comment':
        return comment(matter, 'Hm.');
      case 'assign':
        return assign(matter, { rev, ...(pick === 0 ? {} : { to: `p${pick}` }) });
      case 'extend':
        return extend(matter, { rev, dueAt: matter.now + MINUTE * (1 + pick) });
      case 'undo':
        return undo(matter, rev);
    }
  }

  private answer(): void {
    const answers = callsWaiting(this.batch).map((toolCallId): ToolMessage => ({
      id: `own-${toolCallId}`,
      role: 'tool',
      toolCallId,
      content: '"mine"',
    }));
    if (answers.length === 0) return;
    this.law.answered(answers.map(({ toolCallId }) => toolCallId));
    this.commit(takeAnswers(this.batch, { answers, by: 'carl', now: this.now }));
  }

  private mend(verb: keyof typeof MEND): void {
    const judged = MEND[verb](this.batch, { by: olga.subject, now: this.now, reason: 'Mended.' });
    if (!judged.ok || isNoChange(judged.value)) return;
    this.law.mended(verb, this.now);
    this.commit(judged.value);
  }

  private send({ end }: Extract<Move, { kind: 'send' }>): void {
    const plan = planDispatch(this.batch, this.now, 'run-next');
    if (!plan) return;
    const batch = withChange(this.batch, plan);
    if (batch.status.state !== 'dispatching') return this.commit(plan);
    this.law.sent(batch, end, this.now);
    const status = statusAfter(batch, end, this.now);
    this.batch = status ? { ...batch, status } : batch;
    this.law.reconcile(this.batch, this.now);
  }
}
