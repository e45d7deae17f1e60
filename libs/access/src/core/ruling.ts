/** Finds the rule that covers a question put to people, and says how it is to be handled. */
import type { RuleMatch } from '@triptych/protocol';
import { conjunction, judgeArguments } from './argument-test.js';
import type { Arguments, TestOutcome, Tri } from './argument-test.js';
import { globMatches } from './glob.js';
import { handlingSchema, NO_RULE } from './policy-schema.js';
import type { ApprovalRule, Handling, Policy, RuleConditions, TaskSource } from './policy.js';
import { safeSchema } from './schema/safe-schema.js';

/** One interrupt, or one call of a frontend tool, that waits for an answer. */
export interface Question {
  readonly agentId: string;
  readonly source: TaskSource;
  readonly reason: string;
  readonly toolName?: string;
  /** The tool's arguments, when they are exact JSON. */
  readonly args?: unknown;
  /** Their text, when they are not. */
  readonly argsText?: string;
  /** What an answer must fit, as the agent gave it. */
  readonly responseSchema?: unknown;
  readonly tenant: string;
  /** When it was asked; Unix milliseconds. */
  readonly at: number;
}

export interface Ruling extends Handling {
  /** `none` when no rule matched. */
  readonly rule: string;
  readonly version: string;
  /** What was tested and found, whole; a surface sees it less its redactions. */
  readonly matched: readonly RuleMatch[];
  /** False: operators only, and nobody approves. */
  readonly approvable: boolean;
}

const text = (pattern: string | undefined, got: string | undefined): Tri => {
  if (pattern === undefined || pattern === '*') return 'holds';
  if (got === undefined) return 'unclear';
  return globMatches(pattern, got) ? 'holds' : 'fails';
};

/** From inclusive, to exclusive; a night that passes midnight has `from` after `to`. */
const hourHolds = ({ hour }: RuleConditions, at: number): Tri => {
  if (!hour) return 'holds';
  const now = hour.at(at);
  const inside = hour.from < hour.to ? now >= hour.from && now < hour.to : now >= hour.from || now < hour.to;
  return inside ? 'holds' : 'fails';
};

const argumentsOf = ({ args, argsText }: Question): Arguments =>
  argsText === undefined && args !== undefined ? { known: true, value: args } : { known: false };

interface Judged {
  readonly verdict: Tri;
  readonly tests: readonly TestOutcome[];
}

const judgeRule = (match: RuleConditions, question: Question): Judged => {
  const tests = judgeArguments(match.args, argumentsOf(question));
  const verdict = conjunction([
    match.source === question.source ? 'holds' : 'fails',
    text(match.agent, question.agentId),
    text(match.tenant, question.tenant),
    text(match.reason, question.reason),
    text(match.tool, question.toolName),
    hourHolds(match, question.at),
    ...tests.map((test) => test.verdict),
  ]);
  return { verdict, tests };
};

/** Whether any rule could speak of it, whatever the hour. */
export const mayMatch = ({ rules }: Policy, question: Omit<Question, 'at'>): boolean =>
  rules.some(
    ({ match: { hour: _any, ...match } }) => judgeRule(match, { ...question, at: 0 }).verdict !== 'fails',
  );

const UNRULED: Handling = handlingSchema.parse({});

/** Whatever else the rule says: nobody but an operator, and nobody approves. */
const forOperators = (ruling: Ruling): Ruling => ({
  ...ruling,
  audience: 'reviewer',
  groups: [],
  escalate: [],
  chat: false,
  approvable: false,
});

const rulingBy = ({ version }: Policy, { rule, tests, verdict }: Judged & { rule: ApprovalRule }): Ruling => {
  const matched = tests.map(({ match }) => match);
  const ruling: Ruling = { ...rule.handling, rule: rule.id, version, matched, approvable: true };
  return verdict === 'holds' ? ruling : forOperators(ruling);
};

/** ACC-10: first match wins; what cannot be evaluated matches for operators only, so nothing falls through to a laxer rule. */
const rulingByRules = (policy: Policy, question: Question): Ruling => {
  for (const rule of policy.rules) {
    const judged = judgeRule(rule.match, question);
    if (judged.verdict !== 'fails') return rulingBy(policy, { rule, ...judged });
  }
  return { ...UNRULED, rule: NO_RULE, version: policy.version, matched: [], approvable: false };
};

/** ACC-26, ACC-27: nobody answers what no schema can judge, nor approves what nobody could read. */
const isAnswerable = ({ argsText, responseSchema }: Question): boolean =>
  argsText === undefined && (responseSchema === undefined || safeSchema(responseSchema).ok);

export const rulingFor = (policy: Policy, question: Question): Ruling => {
  const ruling = rulingByRules(policy, question);
  return isAnswerable(question) ? ruling : forOperators(ruling);
};

/** Whether what is to be approved lies within the limits each role has; a limit that cannot be evaluated is not kept. */
export const limitsKept = (limits: Handling['limits'], args: unknown): Readonly<Record<string, boolean>> =>
  Object.fromEntries(
    Object.entries(limits).map(([role, tests]) => [
      role,
      judgeArguments(tests, { known: args !== undefined, value: args }).every(
        ({ verdict }) => verdict === 'holds',
      ),
    ]),
  );
