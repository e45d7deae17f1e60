/** Answers, outside of any stream, what a surface may see, write and call things. */
import type { RuleMatch, Surface } from '@triptych/protocol';
import type { Policy, SurfacePolicy, ToolView } from './policy.js';
import { cutTo, isRedacted, REDACTED, shapeOf, type Shape } from './shape.js';

const ofSurface = ({ surfaces }: Policy, surface: Surface): SurfacePolicy | undefined =>
  surface === 'operator' ? undefined : surfaces[surface];

export const toolViewOn = (policy: Policy, surface: Surface, tool: string): ToolView | undefined => {
  const allowed = ofSurface(policy, surface);
  return allowed?.tools.get(tool) ?? allowed?.otherTools;
};

const EVERYTHING = shapeOf(['']);

/** ACC-14: whoever is to decide sees the whole proposal less redactions, whatever the stream shows them of the tool. */
export const proposalShape = (policy: Policy, surface: Surface, tool: string | undefined): Shape =>
  (tool === undefined ? undefined : toolViewOn(policy, surface, tool)?.proposal) ?? EVERYTHING;

export interface ProposedCall {
  readonly tool: string | undefined;
  readonly args: unknown;
}

export const projectArgs = (policy: Policy, surface: Surface, { tool, args }: ProposedCall): unknown =>
  cutTo(proposalShape(policy, surface, tool), args);

/** Whether the test holds for so few values that what was wanted tells what was found. */
const tells = ({ op, want }: RuleMatch): boolean =>
  op === 'eq' || op === 'in' || (op === 'ne' && typeof want === 'boolean');

const withoutSecrets = (match: RuleMatch): RuleMatch => ({
  ...match,
  ...(tells(match) ? { want: REDACTED } : {}),
  got: REDACTED,
});

interface MatchedRule {
  readonly tool?: string;
  readonly matched: readonly RuleMatch[];
}

/** ACC-28: a rule may test a value that whoever is to decide sees only redacted. */
export const projectMatches = (
  policy: Policy,
  surface: Surface,
  { tool, matched }: MatchedRule,
): readonly RuleMatch[] => {
  const shape = proposalShape(policy, surface, tool);
  return matched.map((match) => (isRedacted(shape, match.pointer) ? withoutSecrets(match) : match));
};

/** Labels of the steps the policy names, in its order. */
export const stepLabels = (policy: Policy, surface: Surface): readonly string[] => [
  ...(ofSurface(policy, surface)?.steps.values() ?? []),
];

/** The state as the surface shows it. */
export const projectState = (policy: Policy, surface: Surface, state: unknown): unknown => {
  const allowed = ofSurface(policy, surface);
  return allowed ? cutTo(allowed.state, state) : state;
};

/** What a client acting as customer may change of the state. */
export const writablePointers = ({ surfaces }: Policy): readonly string[] => surfaces.customer.write;

/** A tool named under any surface is the product's own: a client cannot bring one of that name. */
export const isPolicyTool = ({ surfaces }: Policy, tool: string): boolean =>
  Object.values(surfaces).some(({ tools }) => tools.has(tool));
