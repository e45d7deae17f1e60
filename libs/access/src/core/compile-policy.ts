/** Turns the content of a policy file into a policy, or says what is wrong and where. */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { z } from 'zod';
import type { ApprovalRule, Policy, SurfacePolicy, ToolView } from './policy.js';
import { policySchema } from './policy-schema.js';
import type { RuleContent, SurfaceContent } from './policy-schema.js';
import { shapeOf } from './shape.js';

export interface PolicyProblem {
  /** Keys and indexes from the root to what is wrong. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export type PolicyReading =
  | { readonly ok: true; readonly value: Policy }
  | { readonly ok: false; readonly problems: readonly PolicyProblem[] };

const VERSION_LENGTH = 8;
/** In `tools` and `steps`: whatever is not named. */
const OTHERS = '*';

const toolView = ({ label, args, result, redact }: SurfaceContent['tools'][string]): ToolView => ({
  ...(label === undefined ? {} : { label: typeof label === 'string' ? { running: label } : label }),
  args: shapeOf(args, redact),
  result: shapeOf(result, redact),
  proposal: shapeOf([''], redact),
});

const without = <T>(record: Readonly<Record<string, T>>, key: string): [string, T][] =>
  Object.entries(record).filter(([name]) => name !== key);

const surfacePolicy = (content: SurfaceContent): SurfacePolicy => {
  const others = content.tools[OTHERS];
  return {
    state: shapeOf(content.state, content.redact),
    write: content.write,
    tools: new Map(without(content.tools, OTHERS).map(([tool, view]) => [tool, toolView(view)])),
    ...(others ? { otherTools: toolView(others) } : {}),
    steps: new Map(without(content.steps, OTHERS)),
    otherSteps: content.steps[OTHERS] !== undefined,
    custom: content.custom,
    activities: content.activities,
    subagents: content.subagents,
    reasoning: content.reasoning,
  };
};

const NOTHING: SurfaceContent = {
  state: [],
  write: [],
  tools: {},
  steps: {},
  custom: [],
  activities: [],
  subagents: false,
  reasoning: false,
  redact: [],
};

const hourAt = (tz: string): ((instant: number) => number) => {
  const clock = new Intl.DateTimeFormat('en', { timeZone: tz, hour: 'numeric', hourCycle: 'h23' });
  return (instant) => Number(clock.format(instant));
};

const approvalRule = ({ id, match: { hour, ...match }, forbid, ...handling }: RuleContent): ApprovalRule => ({
  id,
  match: { ...match, ...(hour ? { hour: { from: hour.from, to: hour.to, at: hourAt(hour.tz) } } : {}) },
  // The one who asks is the one who answers: nobody is barred from their own question.
  handling: { ...handling, forbid: handling.audience === 'customer' ? [] : forbid },
});

const stepProblems = (surface: string, steps: Readonly<Record<string, string>>): PolicyProblem[] => {
  const taken = new Map<string, string>();
  return Object.entries(steps).flatMap(([step, label]) => {
    const path = ['surfaces', surface, 'steps', step];
    if (step === OTHERS)
      return label === OTHERS ? [] : [{ path, message: 'must be "*": other steps keep their own names' }];
    if (label === OTHERS) return [{ path, message: 'must be a label: only "*" itself may be "*"' }];
    const first = taken.get(label);
    taken.set(label, step);
    return first === undefined ? [] : [{ path, message: `"${label}" is already the label of "${first}"` }];
  });
};

const ruleProblems = (rules: readonly RuleContent[]): PolicyProblem[] =>
  rules.flatMap(({ id }, index) =>
    rules.findIndex((rule) => rule.id === id) === index
      ? []
      : [{ path: ['approvals', 'rules', index, 'id'], message: `"${id}" is the id of an earlier rule` }],
  );

const keysOf = (path: readonly PropertyKey[]): (string | number)[] =>
  path.map((key) => (typeof key === 'symbol' ? String(key) : key));

const schemaProblems = (issue: z.core.$ZodIssue): PolicyProblem[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => ({ path: [...keysOf(issue.path), key], message: 'is not a key of a policy' }))
    : [{ path: keysOf(issue.path), message: issue.message }];

const versionOf = (content: unknown): string =>
  createHash('sha256')
    .update(canonicalize(content) ?? '')
    .digest('hex')
    .slice(0, VERSION_LENGTH);

/** ACC-8: an unknown key, a bad value, or two equal step labels refuse the whole file. */
export const compilePolicy = (parsed: unknown): PolicyReading => {
  const read = policySchema.safeParse(parsed);
  if (!read.success) return { ok: false, problems: read.error.issues.flatMap(schemaProblems) };
  const { surfaces, approvals } = read.data;
  const problems = [
    ...Object.entries(surfaces).flatMap(([name, surface]) => stepProblems(name, surface?.steps ?? {})),
    ...ruleProblems(approvals.rules),
  ];
  if (problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    value: {
      version: versionOf(parsed),
      surfaces: {
        customer: surfacePolicy(surfaces.customer ?? NOTHING),
        reviewer: surfacePolicy(surfaces.reviewer ?? NOTHING),
      },
      rules: approvals.rules.map(approvalRule),
    },
  };
};
