/** Answers whether an actor may do something, and says why in a sentence. */
import { ok, refuse, type Result } from '@triptych/protocol';
import { type Actor, BRIDGE, type Principal, type Role } from './actor.js';
import { isBridged } from './bridge.js';
import { CAPABILITIES } from './capability-table.js';
import { CONDITIONS } from './conditions.js';
import type { Denial, Verdict } from './conditions.js';
import type { Action, Facts, FactsOf } from './facts.js';

interface Ask {
  readonly actor: Actor;
  readonly action: Action;
  readonly facts: Facts;
}

const verdictAs = (principal: Principal, { actor, action, facts }: Ask): Verdict | undefined => {
  const condition = CAPABILITIES[principal][action];
  return condition && CONDITIONS[condition](actor, facts, principal);
};

/** ACC-3: another tenant's things do not exist. ACC-70: what a bridge may not bring, nobody does through it. */
const barred = (ask: Ask): Denial | undefined => {
  const { actor, facts } = ask;
  if (facts.tenant !== actor.tenant) return { allowed: false, because: 'it belongs to another tenant' };
  if (!isBridged(actor)) return undefined;
  const bridged = verdictAs(BRIDGE, ask) ?? { allowed: false, because: 'it is not done through a bridge' };
  return bridged.allowed ? undefined : bridged;
};

/** ACC-4: what no role of the actor allows is forbidden; why is said by the role that came closest. */
const judge = <A extends Action>(actor: Actor, action: A, facts: FactsOf[A]): Verdict => {
  const ask: Ask = { actor, action, facts };
  const bar = barred(ask);
  if (bar) return bar;
  let denied: Denial | undefined;
  for (const role of actor.roles) {
    const verdict = verdictAs(role, ask);
    if (verdict?.allowed) return verdict;
    if (verdict && (!denied || (!denied.mayNot && verdict.mayNot))) denied = verdict;
  }
  return denied ?? { allowed: false, because: 'none of your roles allows it' };
};

export const can = <A extends Action>(actor: Actor, action: A, facts: FactsOf[A]): boolean =>
  judge(actor, action, facts).allowed;

/** The role that allows it, the first that does; undefined: none. */
export const roleFor = <A extends Action>(actor: Actor, action: A, facts: FactsOf[A]): Role | undefined => {
  const ask: Ask = { actor, action, facts };
  return barred(ask) ? undefined : actor.roles.find((role) => verdictAs(role, ask)?.allowed);
};

/** What stands in the way; undefined: nothing. */
export const denial = <A extends Action>(actor: Actor, action: A, facts: FactsOf[A]): Denial | undefined => {
  const verdict = judge(actor, action, facts);
  return verdict.allowed ? undefined : verdict;
};

/** The answer of {@link can} as a sentence, for the one who asked. */
export const why = <A extends Action>(actor: Actor, action: A, facts: FactsOf[A]): string => {
  const { allowed, because } = judge(actor, action, facts);
  return allowed ? `You may do this: ${because}.` : sentenceOf(because);
};

const sentenceOf = (because: string): string => `You may not do this: ${because}.`;

/** ACC-72: whoever may know that a thing exists is told why they may not do this to it. */
export const forbidden = (because: string, details?: Readonly<Record<string, unknown>>): Result<never> =>
  refuse('FORBIDDEN', { message: sentenceOf(because), ...(details ? { details } : {}) });

/** {@link can} for doors: yes, or the refusal that says why. */
export const permit = <A extends Action>(actor: Actor, action: A, facts: FactsOf[A]): Result<true> => {
  const denied = denial(actor, action, facts);
  return denied ? forbidden(denied.because) : ok(true);
};
