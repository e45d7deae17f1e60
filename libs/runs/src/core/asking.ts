/** Says what a run that is over leaves to be answered: questions to people, or calls of its client's own tools. */
import type { Interrupt, Message, Model } from '@triptych/protocol';
import type { AskingRun } from './ports.js';
import type { RunEnding } from './run-end.js';
import type { AdmittedRun } from './run-record.js';
import { subagentPathsOf } from './subagent-paths.js';
import { callsOf, type CallSeen } from './tool-calls.js';
import { answeredIn } from './tool-results.js';

export interface Asking {
  readonly interrupts: readonly Interrupt[];
  /** Frontend tool calls that wait for an answer, in the order the agent made them. */
  readonly calls: readonly string[];
  /** What of the run's end was not heeded, for the operator. */
  readonly odd: readonly string[];
}

/** As many as there may be interrupts; an agent that makes more of them at once repeats itself. */
const MAX_PENDING_CALLS = 200;

/** What is known of a run when it ends. */
export interface RunSeen {
  readonly messages: readonly Message[];
  /** Names of the frontend tools it brought. */
  readonly tools: readonly string[];
  /** Tool calls it began, in order. */
  readonly begun: ReadonlySet<string>;
}

const isOpenCall = ({ messages, tools, begun }: RunSeen): ((id: string) => boolean) => {
  const calls: ReadonlyMap<string, CallSeen> = callsOf(messages);
  const answered = answeredIn(messages);
  return (id) => begun.has(id) && !answered.has(id) && tools.includes(calls.get(id)?.name ?? '');
};

/** RUN-46: the agent's own list wins; without one every call of the run that has no answer waits for one. */
const callsLeft = (listed: readonly string[] | undefined, run: RunSeen): Pick<Asking, 'calls' | 'odd'> => {
  if (run.tools.length === 0 && !listed?.length) return { calls: [], odd: [] };
  const isOpen = isOpenCall(run);
  const named = [...new Set(listed ?? run.begun)];
  const open = named.filter(isOpen);
  const strange = listed ? named.filter((id) => !isOpen(id)) : [];
  const odd = strange.map((id) => `pendingToolCallIds: ${id} is no open call of the client's own tools`);
  const left = open.length - MAX_PENDING_CALLS;
  return {
    calls: open.slice(0, MAX_PENDING_CALLS),
    odd: left > 0 ? [...odd, `${left} calls more than can be waited for`] : odd,
  };
};

/** undefined: nobody is asked anything. */
export const askingAt = (ending: RunEnding | undefined, run: RunSeen): Asking | undefined => {
  if (ending?.status === 'interrupt') return { interrupts: ending.interrupts, calls: [], odd: [] };
  if (ending?.status !== 'success') return undefined;
  const { calls, odd } = callsLeft(ending.pending, run);
  return calls.length + odd.length === 0 ? undefined : { interrupts: [], calls, odd };
};

export const opensBatch = ({ interrupts, calls }: Asking): boolean => interrupts.length + calls.length > 0;

/** The run as the approvals need it. */
export const runThatAsks = (
  { thread, lease, record }: AdmittedRun,
  { messages, subagents }: Pick<Model, 'messages' | 'subagents'>,
  { interrupts, calls }: Asking,
): AskingRun => ({
  threadId: lease.thread,
  tenant: thread.tenant,
  agentId: thread.agentId,
  owner: thread.owner,
  requesters: [record.requester],
  runId: lease.runId,
  interrupts,
  calls,
  toolCalls: callsOf(messages),
  subagentPaths: subagentPathsOf(subagents),
});
