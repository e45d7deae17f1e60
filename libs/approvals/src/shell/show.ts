/** Shows tasks on the surface of whoever asks, with the arguments their policy lets them see. */
import {
  can,
  keepHidden,
  projectArgs,
  projectMatches,
  redactsArgs,
  rulingFor,
  toolViewOn,
  type Actor,
  type Policy,
  type Ruling,
} from '@triptych/access';
import { moneyIn, type Surface, type TaskView } from '@triptych/protocol';
import { requesterOf, type Batch } from '../core/batch.js';
import type { DecideCommand } from '../core/command.js';
import type { Matter } from '../core/matter.js';
import { offerTo } from '../core/may.js';
import { argsOf, type Task } from '../core/task.js';
import type { Shown } from '../core/inbox-card.js';
import { searchedText } from '../core/inbox-query.js';
import { proposalOf, taskView, type ViewOptions } from '../core/task-view.js';

const surfaceOf = ({ batch, actor, task }: Matter): Surface => {
  if (can(actor, 'task.whole', { tenant: batch.facts.tenant })) return 'operator';
  return task.ruling.audience === 'customer' ? 'customer' : 'reviewer';
};

/** Text has no pointers: where anything of a tool is redacted, text of it is not shown at all. */
const showsText = (policy: Policy, surface: Surface, tool: string | undefined): boolean =>
  tool === undefined || (toolViewOn(policy, surface, tool)?.proposal.whole ?? true);

const showsCall = (policy: Policy, surface: Surface, tool: string | undefined): boolean =>
  surface === 'operator' || (tool !== undefined && toolViewOn(policy, surface, tool) !== undefined);

const optionsFor = (policy: Policy, surface: Surface): Omit<ViewOptions, 'redacted'> => ({
  surface,
  redact: (tool, args) => (tool === undefined ? args : projectArgs(policy, surface, { tool, args })),
  showText: (tool) => showsText(policy, surface, tool),
  showsCall: (tool) => showsCall(policy, surface, tool),
  showsSubagents: surface === 'operator' || policy.surfaces[surface].subagents,
  redactMatches: (tool, matched) =>
    projectMatches(policy, surface, { ...(tool === undefined ? {} : { tool }), matched }),
});

const hasRedacted = (policy: Policy, { task: { proposal } }: Pick<Matter, 'task'>): boolean =>
  redactsArgs(policy, 'reviewer', { tool: proposal.toolName, args: proposal.args });

export const show = (policy: Policy, matter: Matter, history = false): TaskView =>
  taskView(matter, {
    ...optionsFor(policy, surfaceOf(matter)),
    redacted: hasRedacted(policy, matter),
    history,
  });

/** Shows one task to many people: on one surface only what they may do tells their views apart. */
export const showToMany = (policy: Policy, seen: Omit<Matter, 'actor'>): ((actor: Actor) => TaskView) => {
  const shown = new Map<string, TaskView>();
  const redacted = hasRedacted(policy, seen);
  return (actor) => {
    const matter = { ...seen, actor };
    const alike = JSON.stringify([surfaceOf(matter), offerTo(matter, redacted)]);
    const view = shown.get(alike) ?? show(policy, matter, true);
    shown.set(alike, view);
    return view;
  };
};

/** What of a question is searched and weighed: to each no more than they are shown. */
export const shownOn = (policy: Policy, { facts }: Batch, task: Task): Shown => {
  const { message, reason } = task;
  const about = { reason, threadId: facts.threadId, requester: requesterOf(facts), message };
  const on = (surface: Surface) => {
    const options = optionsFor(policy, surface);
    const text = searchedText({ ...about, proposal: proposalOf(task, options) });
    return { text, sum: moneyIn(options.redact(task.proposal.toolName, argsOf(task)))?.value };
  };
  const [operator, audience] = [on('operator'), on(task.ruling.audience)];
  const { text } = audience;
  return {
    texts: { operator: operator.text, audience: text === operator.text ? operator.text : text },
    sums: { operator: operator.sum, audience: audience.sum },
  };
};

/** The same command with what its author was not shown put back. */
export const unhidden = (policy: Policy, matter: Matter, command: DecideCommand): DecideCommand => {
  if (command.editedArgs === undefined) return command;
  const real = argsOf(matter.task);
  const { redact } = optionsFor(policy, surfaceOf(matter));
  const shown = redact(matter.task.proposal.toolName, real);
  return { ...command, editedArgs: keepHidden(command.editedArgs, { shown, real }) };
};

/** Says which rule other arguments of a task fall under; the hour is the one at which it was asked. */
export const rulesOn =
  (policy: Policy, { facts }: Batch) =>
  (task: Task, args: unknown): Ruling => {
    const { toolName } = task.proposal;
    return rulingFor(policy, {
      agentId: facts.agentId,
      tenant: facts.tenant,
      source: task.source,
      reason: task.reason,
      at: task.createdAt,
      ...(toolName === undefined ? {} : { toolName }),
      args,
    });
  };
