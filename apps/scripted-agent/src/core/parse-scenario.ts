/** Checks that a parsed file is a scenario; a slip of the pen stops the start instead of a run. */
import { z } from 'zod';
import { namesIn } from './fill.js';
import type { Scenario, Step } from './scenario.js';

/** What a template may use besides the scenario's own values. */
const BUILT_IN = new Set(['message', 'reference', 'state', 'args', 'proposed', 'edited', 'reason', 'result']);

const steps: z.ZodType<readonly Step[]> = z.lazy(() => z.array(step));
const template = z.unknown();
const flag = z.boolean().optional();

const verbs = {
  say: z.strictObject({ say: z.string(), paceMs: z.int().optional(), chunks: flag, open: flag }),
  think: z.strictObject({ think: z.string(), chunks: flag, sealed: z.string().optional() }),
  call: z.strictObject({
    call: z.string(),
    key: z.string().optional(),
    args: template,
    result: template.optional(),
    chunks: flag,
    open: flag,
  }),
  settle: z.strictObject({ settle: z.string(), result: template }),
  ask: z.strictObject({
    ask: z.string(),
    reason: z.literal('input_required').optional(),
    message: z.string(),
    schema: z.record(z.string(), template),
  }),
  step: z.strictObject({ step: z.string(), do: steps }),
  state: z.strictObject({ state: template, keep: z.array(z.string()).optional() }),
  set: z.strictObject({ set: z.record(z.string().startsWith('/'), template) }),
  restate: z.strictObject({ restate: z.literal('messages') }),
  card: z.strictObject({
    card: z.strictObject({
      id: z.string(),
      component: z.string(),
      version: z.int(),
      props: template,
      text: z.string(),
    }),
    as: z.literal('activity').optional(),
  }),
  activity: z.strictObject({
    activity: z.string(),
    type: z.string(),
    content: z.record(z.string(), template),
  }),
  patch: z.strictObject({ patch: z.string(), type: z.string(), ops: z.array(template) }),
  custom: z.strictObject({ custom: z.string(), value: template }),
  raw: z.strictObject({ raw: template, source: z.string().optional() }),
  subagent: z.strictObject({
    subagent: z.string(),
    description: z.string().optional(),
    do: steps,
    result: template.optional(),
    fails: z.strictObject({ message: z.string(), code: z.string().optional() }).optional(),
  }),
  together: z.strictObject({ together: z.array(steps).min(2) }),
  pauseMs: z.strictObject({ pauseMs: z.int().nonnegative() }),
  choose: z.strictObject({
    choose: z.array(
      z.strictObject({
        when: z
          .strictObject({
            value: z.string(),
            exists: flag,
            eq: z.unknown().optional(),
            gte: z.number().optional(),
            lt: z.number().optional(),
          })
          .optional(),
        do: steps,
      }),
    ),
  }),
  finish: z.strictObject({ finish: z.strictObject({ result: template.optional() }) }),
  fail: z.strictObject({ fail: z.string(), code: z.string().optional() }),
  cut: z.strictObject({ cut: z.literal('connection') }),
};
export type Verb = keyof typeof verbs;

export const verbOf = (step: object): Verb | undefined =>
  (Object.keys(verbs) as Verb[]).find((verb) => Object.hasOwn(step, verb));

/** Judged by its verb, so that a mistake is told about that verb and not about all of them. */
const step: z.ZodType<Step> = z.record(z.string(), z.unknown()).transform((raw, context): Step => {
  const verb = verbOf(raw);
  if (!verb) context.addIssue(`no verb among ${Object.keys(raw).join(', ')}`);
  const judged = verb && verbs[verb].safeParse(raw);
  if (judged?.success) return judged.data as Step;
  if (judged) context.addIssue(z.prettifyError(judged.error));
  return z.NEVER;
});

const source = z.union([
  z.strictObject({ find: z.enum(['amount', 'currency']), default: z.unknown().optional() }),
  z.strictObject({ find: z.literal('pattern'), pattern: z.string(), default: z.unknown().optional() }),
  z.strictObject({ is: template }),
]);

const scenario = z
  .strictObject({
    id: z.string().regex(/^[a-z][a-z0-9-]*$/),
    about: z.string(),
    values: z.record(z.string(), source).default({}),
    usage: z.array(z.record(z.string(), z.unknown())).optional(),
    start: steps,
    answers: z
      .record(z.string(), z.strictObject({ approved: steps, rejected: steps, cancelled: steps }))
      .default({}),
    questions: z.record(z.string(), z.strictObject({ answered: steps, cancelled: steps })).default({}),
  })
  .superRefine((parsed, context) => {
    for (const used of namesIn([parsed.start, parsed.answers, parsed.questions, parsed.values]))
      if (!BUILT_IN.has(used) && !Object.hasOwn(parsed.values, used))
        context.addIssue(`uses {{${used}}}, which is no value of it`);
  });

export type ScenarioRead =
  { readonly ok: true; readonly scenario: Scenario } | { readonly ok: false; readonly problem: string };

export const parseScenario = (raw: unknown): ScenarioRead => {
  const judged = scenario.safeParse(raw);
  return judged.success
    ? { ok: true, scenario: judged.data as Scenario }
    : { ok: false, problem: z.prettifyError(judged.error) };
};
