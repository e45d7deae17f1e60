/** Finds what a surface is shown only as redacted, for whoever gives a reason to see it; what is hidden stays hidden. */
import { memberOf, ok, refuse, type Result, type Surface } from '@triptych/protocol';
import type { Policy } from './policy.js';
import { proposalShape, type ProposedCall } from './projections.js';
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

const child = (value: unknown, segment: string): unknown => memberOf(value, segment)?.value;

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

const differs = (pair: Pair): boolean => {
  const { shown, open } = pair;
  if (isMark(pair)) return true;
  if (shown === open || typeof open !== 'object' || open === null) return false;
  return Object.keys(open).some((key) => differs({ shown: child(shown, key), open: child(open, key) }));
};

type Shown = Exclude<Surface, 'operator'>;

export const revealState = (
  policy: Policy,
  surface: Shown,
  { state, pointer }: { readonly state: unknown; readonly pointer: string },
): Result<unknown> => revealIn(policy.surfaces[surface].state, state, pointer);

export const revealArgs = (
  policy: Policy,
  surface: Shown,
  { pointer, tool, args }: ProposedCall & { readonly pointer: string },
): Result<unknown> =>
  args === undefined ? refuse('NOT_FOUND') : revealIn(proposalShape(policy, surface, tool), args, pointer);

/** Whether the surface is shown less of a proposal than there is. */
export const redactsArgs = (policy: Policy, surface: Shown, { tool, args }: ProposedCall): boolean => {
  const shape = proposalShape(policy, surface, tool);
  return !shape.whole && args !== undefined && differs(pairOf(shape, args));
};
