/** Answers whether an actor may do something, and says why in a sentence. */
import type { MayNotReason } from '@triptych/protocol';
import type { Actor, Role } from './actor.js';
import { CAPABILITIES } from './capability-table.js';
import { CONDITIONS } from './conditions.js';
import type { Verdict } from './conditions.js';
import type { Action, Facts, FactsOf } from './facts.js';

const verdictAs = (role: Role, ask: { actor: Actor; action: Action; facts: Facts }): Verdict | undefined => {
  const condition = CAPABILITIES[role][ask.action];
  return condition && CONDITIONS[condition](ask.actor, ask.facts, role);
};

/** ACC-3: another tenant's things do not exist. ACC-4: what no role of the actor allows is forbidden. */
const judge = <A extends Action>(actor: Actor, action: A, facts: FactsOf[A]): Verdict => {
  if (facts.tenant !== actor.tenant) return { allowed: false, because: 'it belongs to another tenant' };
  let denied: Verdict | undefined;
  for (const role of actor.roles) {
    const verdict = verdictAs(role, { actor, action, facts });
    if (verdict?.allowed) return verdict;
    denied ??= verdict;
  }
  return denied ?? { allowed: false, because: 'none of their roles allows it' };
};

export const can = <A extends Action>(actor: Actor, action: A, facts: FactsOf[A]): boolean =>
  judge(actor, action, facts).allowed;

/** The role that allows it, the first that does; undefined: none. */
export const roleFor = <A extends Action>(actor: Actor, action: A, facts: FactsOf[A]): Role | undefined =>
  facts.tenant === actor.tenant
    ? actor.roles.find((role) => verdictAs(role, { actor, action, facts })?.allowed)
    : undefined;

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
