/** Finds what a surface is shown only as redacted, for whoever gives a reason to see it; what is hidden stays hidden. */
import { refuse, ok, type Result, type Surface } from '@triptych/protocol';
import type { Policy } from './policy.js';
import { toolViewOn } from './projections.js';
import { cutTo, REDACTED, segmentsOf, shapeOf, type Shape } from './shape.js';

const NOTHING_REDACTED = shapeOf([]).redact;

/** The same value as it is shown, and as it would be shown were nothing redacted. */
interface Pair {
  readonly shown: unknown;
  readonly open: unknown;
}

const pairOf = (shape: Shape, value: unknown): Pair => ({
  shown: cutTo(shape, value),
  open: cutTo({ ...shape, redact: NOTHING_REDACTED, whole: shape.allow.ends }, value),
});

const INDEX = /^(?:0|[1-9]\d*)$/u;

const child = (value: unknown, segment: string): unknown => {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return undefined;
  if (Array.isArray(value) && !INDEX.test(segment)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[segment];
};

const isMark = ({ shown, open }: Pair): boolean => shown === REDACTED && open !== REDACTED;

/** ACC-64: the value a redaction stands for, or one within it. */
const revealIn = (shape: Shape, value: unknown, pointer: string): Result<unknown> => {
  let { shown, open } = pairOf(shape, value);
  let redacted = isMark({ shown, open });
  for (const segment of segmentsOf(pointer)) {
    open = child(open, segment);
    if (!redacted) shown = child(shown, segment);
    redacted ||= isMark({ shown, open });
  }
  if (open === undefined) return refuse('NOT_FOUND');
  if (redacted) return ok(open);
  const message = 'What the pointer names is shown, or holds no more than a part that is redacted.';
  return refuse('INVALID_INPUT', { message, details: { pointer: '/pointer' } });
};

const differs = ({ shown, open }: Pair): boolean => {
  if (shown === open || typeof open !== 'object' || open === null) return isMark({ shown, open });
  return (
    isMark({ shown, open }) ||
    Object.keys(open).some((key) => differs({ shown: child(shown, key), open: child(open, key) }))
  );
};

type Shown = Exclude<Surface, 'operator'>;

export const revealState = (
  policy: Policy,
  surface: Shown,
  { state, pointer }: { readonly state: unknown; readonly pointer: string },
): Result<unknown> => revealIn(policy.surfaces[surface].state, state, pointer);

interface ProposedCall {
  readonly tool: string | undefined;
  readonly args: unknown;
}

const EVERYTHING = shapeOf(['']);

const proposalShape = (policy: Policy, surface: Shown, { tool }: ProposedCall): Shape =>
  (tool === undefined ? undefined : toolViewOn(policy, surface, tool)?.proposal) ?? EVERYTHING;

export const revealArgs = (
  policy: Policy,
  surface: Shown,
  { pointer, ...call }: ProposedCall & { readonly pointer: string },
): Result<unknown> =>
  call.args === undefined
    ? refuse('NOT_FOUND')
    : revealIn(proposalShape(policy, surface, call), call.args, pointer);

/** Whether the surface is shown less of a proposal than there is. */
export const redactsArgs = (policy: Policy, surface: Shown, call: ProposedCall): boolean => {
  const shape = proposalShape(policy, surface, call);
  return !shape.whole && call.args !== undefined && differs(pairOf(shape, call.args));
};
