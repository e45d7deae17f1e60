/** The shape of a policy file, down to the last key: what it does not name is refused. */
import { z } from 'zod';
import type { ArgumentTests } from './argument-test.js';
import { POINTER } from './shape.js';

const name = z.string().min(1, 'may not be empty');
const pointer = z
  .string()
  .regex(POINTER, 'must be a JSON Pointer such as "/application/status", or "" for everything');
const exactPointer = pointer.refine(
  (value) => !value.split('/').includes('*'),
  'may not hold "*": a client writes one place',
);
const milliseconds = z.int().min(0);
const list = <T extends z.ZodType>(item: T) => z.array(item).default([]);

const label = z.union(
  [name, z.strictObject({ running: name, done: name.optional(), failed: name.optional() })],
  'must be a text, or {running, done?, failed?}',
);
const tool = z.strictObject({
  label: label.optional(),
  args: list(pointer),
  result: list(pointer),
  redact: list(pointer),
});
const surface = z.strictObject({
  state: list(pointer),
  write: list(exactPointer),
  tools: z.record(name, tool).default({}),
  steps: z.record(name, name).default({}),
  custom: list(name),
  activities: list(name),
  subagents: z.boolean().default(false),
  reasoning: z.boolean().default(false),
  redact: list(pointer),
});

const scalar = z.union(
  [z.string(), z.number(), z.boolean(), z.null()],
  'must be a text, number, boolean or null',
);
const valueTest = z
  .strictObject({
    eq: scalar.optional(),
    ne: scalar.optional(),
    gt: z.number().optional(),
    gte: z.number().optional(),
    lt: z.number().optional(),
    lte: z.number().optional(),
    in: z.array(scalar).min(1).optional(),
    exists: z.boolean().optional(),
  })
  .refine((test) => Object.keys(test).length > 0, 'must name a test: eq, ne, gt, gte, lt, lte, in or exists');
const argumentTests = z.record(pointer, valueTest);

const isTimeZone = (tz: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: tz }).resolvedOptions().timeZone !== '';
  } catch (failure) {
    if (failure instanceof RangeError) return false;
    throw failure;
  }
};
const hourOfDay = z.int().min(0).max(24);
const hour = z
  .strictObject({
    tz: name.refine(isTimeZone, 'must be a time zone such as "Europe/Zurich"'),
    from: hourOfDay,
    to: hourOfDay,
  })
  .refine(({ from, to }) => from !== to, 'from and to may not be equal');

const match = z.strictObject({
  agent: name.optional(),
  source: z.enum(['interrupt', 'frontend_tool']).default('interrupt'),
  reason: name.optional(),
  tool: name.optional(),
  args: argumentTests.default({}),
  tenant: name.optional(),
  hour: hour.optional(),
});

/** An answer is asked for within 30 days unless the rule or the agent says sooner. */
const DEFAULT_TTL_MS = 30 * 24 * 60 * 60 * 1000;
/** What a question that no rule covers names as its rule. */
export const NO_RULE = 'none';

/** Everything a rule says besides when it applies; its defaults are what an uncovered question gets. */
export const handlingSchema = z.strictObject({
  audience: z.enum(['reviewer', 'customer']).default('reviewer'),
  groups: list(name),
  quorum: z.int().min(1).default(1),
  distinctGroups: z.boolean().default(false),
  forbid: z.array(z.enum(['requester', 'editor'])).default(['requester']),
  limits: z
    .partialRecord(z.enum(['reviewer', 'supervisor', 'customer']), argumentTests)
    .default({})
    .transform((limits): Record<string, ArgumentTests> => ({ ...limits })),
  reasonRequired: list(z.enum(['approve', 'reject', 'respond', 'cancel'])),
  chat: z.boolean().default(false),
  undoMs: milliseconds.default(0),
  dueMs: milliseconds.optional(),
  remindMs: list(milliseconds),
  escalate: list(z.strictObject({ afterMs: milliseconds, to: z.array(name).min(1) })),
  ttlMs: z.int().min(1).default(DEFAULT_TTL_MS),
  onAllExpired: z.enum(['dispatch', 'hold']).default('dispatch'),
  customer: z
    .strictObject({ text: name.optional(), usualMs: milliseconds.optional(), hours: name.optional() })
    .optional(),
});

const rule = handlingSchema.extend({
  id: name.refine((id) => id !== NO_RULE, `may not be "${NO_RULE}"`),
  match,
});

export const policySchema = z.strictObject({
  surfaces: z.strictObject({ customer: surface.optional(), reviewer: surface.optional() }).default({}),
  approvals: z.strictObject({ rules: list(rule) }).default({ rules: [] }),
});

export type PolicyContent = z.infer<typeof policySchema>;
export type SurfaceContent = z.infer<typeof surface>;
export type RuleContent = z.infer<typeof rule>;
