/** Answers, outside of any stream, what a surface may see, write and call things. */
import type { Surface } from '@triptych/protocol';
import type { Policy, SurfacePolicy } from './policy.js';
import { cutTo } from './shape.js';

const ofSurface = ({ surfaces }: Policy, surface: Surface): SurfacePolicy | undefined =>
  surface === 'operator' ? undefined : surfaces[surface];

interface ProposedCall {
  readonly tool: string;
  readonly args: unknown;
}

/** ACC-14: whoever is to decide sees the whole proposal less redactions, whatever the stream shows them of the tool. */
export const projectArgs = (policy: Policy, surface: Surface, { tool, args }: ProposedCall): unknown => {
  const allowed = ofSurface(policy, surface);
  const view = allowed?.tools.get(tool) ?? allowed?.otherTools;
  return view ? cutTo(view.proposal, args) : args;
};

/** Labels of the steps the policy names, in its order. */
export const stepLabels = (policy: Policy, surface: Surface): readonly string[] => [
  ...(ofSurface(policy, surface)?.steps.values() ?? []),
];

/** What a client acting as customer may change of the state. */
export const writablePointers = ({ surfaces }: Policy): readonly string[] => surfaces.customer.write;

/** A tool named under any surface is the product's own: a client cannot bring one of that name. */
export const isPolicyTool = ({ surfaces }: Policy, tool: string): boolean =>
  Object.values(surfaces).some(({ tools }) => tools.has(tool));
