/** Says where a task is shown: by the routes that match it, and by what works. */
import { cutTo, globMatches } from '@triptych/access';
import type { TaskView } from '@triptych/protocol';
import type { Bridges, Route } from './bridges.js';
import type { Destination } from './destination.js';
import type { NoticedTask } from './notice-task.js';

/** How a destination stands with one task: it has it, has given it up, or has not been asked. */
export type Standing = 'there' | 'given-up' | 'new';

export interface Conditions {
  /** Destinations at which something was refused lately. */
  readonly ill: ReadonlySet<string>;
  readonly standing: (destinationId: string) => Standing;
}

const fits = (pattern: string | undefined, ...texts: readonly string[]): boolean =>
  pattern === undefined || texts.some((text) => globMatches(pattern, text));

const matches = ({ match }: Route, { tenant, view }: NoticedTask): boolean =>
  fits(match.rule, view.policy.rule) &&
  fits(match.group, ...view.groups) &&
  fits(match.agent, view.agentId) &&
  fits(match.tool, ...(view.proposal.toolName === undefined ? [] : [view.proposal.toolName])) &&
  fits(match.reason, view.reason) &&
  fits(match.tenant, tenant);

/** Where one route leads: those that have it keep it, and the first that works gets it where nobody has it. */
const along = (
  { deliver }: Route,
  open: readonly string[],
  { ill, standing }: Conditions,
): readonly string[] => {
  if (deliver === 'all') return open;
  const there = open.filter((id) => standing(id) === 'there');
  if (there.length > 0) return there;
  const well = open.filter((id) => !ill.has(id));
  return (well.length > 0 ? well : open).slice(0, 1);
};

/** Where the routes could lead at all: a destination belongs to one tenant, and no other's tasks are shown there. */
export const reachable = (
  { routes, destinations }: Pick<Bridges, 'routes' | 'destinations'>,
  task: NoticedTask,
): readonly (readonly [Route, readonly Destination[]])[] =>
  routes
    .filter((route) => matches(route, task))
    .map((route) => {
      const found = route.to.flatMap((id) => destinations.get(id) ?? []);
      return [route, found.filter(({ tenant }) => tenant === task.tenant)];
    });

export const destinationsFor = (
  routed: ReturnType<typeof reachable>,
  conditions: Conditions,
): readonly Destination[] => {
  const chosen = routed.flatMap(([route, to]) => {
    const open = to.filter(({ id }) => conditions.standing(id) !== 'given-up');
    const ids = along(
      route,
      open.map(({ id }) => id),
      conditions,
    );
    return open.filter(({ id }) => ids.includes(id));
  });
  return [...new Set(chosen)];
};

/** A destination may show less than reviewers see, never more. */
export const cutFor = ({ args: shape }: Destination, view: TaskView): TaskView => {
  if (shape.whole) return view;
  const { proposal, edit, decision, policy } = view;
  const { argsText: _hidden, ...named } = proposal;
  return {
    ...view,
    proposal: 'args' in proposal ? { ...named, args: cutTo(shape, proposal.args) } : named,
    // What the rule found is a value too.
    policy: { ...policy, matched: [] },
    ...(edit ? { edit: { ...edit, args: cutTo(shape, edit.args) } } : {}),
    ...(decision ? { decision: cutDecision(shape, decision) } : {}),
  };
};

const cutDecision = (
  shape: Destination['args'],
  { editedArgs, payload: _payload, ...decision }: NonNullable<TaskView['decision']>,
): NonNullable<TaskView['decision']> => ({
  ...decision,
  ...(editedArgs === undefined ? {} : { editedArgs: cutTo(shape, editedArgs) }),
});
