/** Answers whether an actor may do something, and says why in a sentence. */
import type { MayNotReason } from '@triptych/protocol';
import { type Actor, BRIDGE, type Principal, type Role } from './actor.js';
import { isBridged } from './bridge.js';
import { CAPABILITIES } from './capability-table.js';
import { CONDITIONS } from './conditions.js';
import type { Verdict } from './conditions.js';
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
const barred = (ask: Ask): Verdict | undefined => {
  const { actor, facts } = ask;
  if (facts.tenant !== actor.tenant) return { allowed: false, because: 'it belongs to another tenant' };
  if (!isBridged(actor)) return undefined;
  const bridged = verdictAs(BRIDGE, ask) ?? { allowed: false, because: 'it is not done through a bridge' };
  return bridged.allowed ? undefined : bridged;
};

/** ACC-4: what no role of the actor allows is forbidden. */
const judge = <A extends Action>(actor: Actor, action: A, facts: FactsOf[A]): Verdict => {
  const ask: Ask = { actor, action, facts };
  let denied = barred(ask);
  if (denied) return denied;
  for (const role of actor.roles) {
    const verdict = verdictAs(role, ask);
    if (verdict?.allowed) return verdict;
    denied ??= verdict;
  }
  return denied ?? { allowed: false, because: 'none of their roles allows it' };
};

export const can = <A extends Action>(actor: Actor, action: A, facts: FactsOf[A]): boolean =>
  judge(actor, action, facts).allowed;

/** The role that allows it, the first that does; undefined: none. */
export const roleFor = <A extends Action>(actor: Actor, action: A, facts: FactsOf[A]): Role | undefined => {
  const ask: Ask = { actor, action, facts };
  return barred(ask) ? undefined : actor.roles.find((role) => verdictAs(role, ask)?.allowed);
};

/** The answer of {@link can} as a sentence, for people who mend things. */
export const why = <A extends Action>(actor: Actor, action: A, facts: FactsOf[A]): string => {
  const { allowed, because } = judge(actor, action, facts);
  return `${actor.subject} ${allowed ? 'may' : 'may not'} ${action}: ${because}.`;
};

/** Why a candidate may not do this one thing, in the words a task's `mayNot` uses. */
export const mayNot = <A extends Action>(
  actor: Actor,
  action: A,
  facts: FactsOf[A],
): MayNotReason | undefined => {
  const verdict = judge(actor, action, facts);
  return verdict.allowed ? undefined : verdict.mayNot;
};
