/** Raises the alarm when a call has its result though nobody let it be made. */
import type { AguiEvent, Message, Model, ThreadId } from '@triptych/protocol';
import { findingRiders } from '../adapters/findings.js';
import type { Finding } from '../core/findings.js';
import type { Closings, Rider, ShutGate } from '../core/ports.js';
import type { RunEnding } from '../core/run-end.js';
import { answeredIn, mayHoldResults, newResults } from '../core/tool-results.js';
import { throughGrace, type Grace } from './grace.js';

export interface WatchDeps extends Grace {
  readonly closings: Pick<Closings, 'shutGates'>;
  readonly report: (event: string, fields: Readonly<Record<string, unknown>>) => void;
}

type Known = Pick<Model, 'messages'>;
interface Told {
  readonly event: AguiEvent;
}

/** What of a thread is watched; no gate of it opens while a run is under way. */
export class GateWatch {
  private gates: Promise<ReadonlyMap<string, ShutGate>> | undefined;
  private readonly raised = new Set<string>();

  constructor(
    private readonly deps: WatchDeps,
    private readonly at: {
      readonly thread: ThreadId;
      readonly runId: string;
      /** What the run brings is no news of its agent's, though its beginning may not be stored yet. */
      readonly brings?: readonly Message[];
    },
  ) {}

  /** For the write that stores these events, or keeps what was refused of them; `model` is the thread before them. */
  async alarms(model: Known, events: readonly Told[]): Promise<readonly Rider[]> {
    const telling = events.filter(({ event }) => mayHoldResults(event));
    if (telling.length === 0) return [];
    const gates = await this.known();
    const calls = new Set(
      telling.flatMap(({ event }) => newResults([...model.messages, ...(this.at.brings ?? [])], event)),
    );
    const passed = [...calls].flatMap((call) => {
      const gate = gates.get(call);
      return gate && gate.toldIn !== this.at.runId ? [{ call, gate }] : [];
    });
    const riders = await Promise.all(passed.map(({ call, gate }) => this.raise(call, gate)));
    return riders.flat();
  }

  /** The same of what an agent sent that is no event of the log. */
  refused(model: Known, texts: readonly string[]): Promise<readonly Rider[]> {
    return this.alarms(model, texts.flatMap(eventIn));
  }

  /** RUN-58: whoever asks after the deed asks for nothing. */
  lateQuestions({ messages }: Known, ending: RunEnding | undefined): readonly Rider[] {
    if (ending?.status !== 'interrupt') return [];
    const answered = answeredIn(messages);
    const late = ending.interrupts.filter(({ toolCallId = '' }) => answered.has(toolCallId));
    const { thread, runId } = this.at;
    const findings = late.map(({ id, toolCallId }): Finding => ({
      kind: 'asked-afterwards',
      message: `The call '${toolCallId}' had its result before the interrupt '${id}' asked about it.`,
      runId,
    }));
    return findingRiders(thread, findings);
  }

  /** Read once a run, and only for one that has results to tell. */
  private known(): Promise<ReadonlyMap<string, ShutGate>> {
    this.gates ??= throughGrace(this.deps, () => this.deps.closings.shutGates(this.at.thread));
    return this.gates;
  }

  private async raise(call: string, { taskId, why, raise }: ShutGate): Promise<readonly Rider[]> {
    if (this.raised.has(call)) return [];
    this.raised.add(call);
    const { thread, runId } = this.at;
    this.deps.report('run.gate-bypass', { thread, run: runId, task: taskId, why });
    const message = `The call '${call}' has a result, but its task ${taskId} is ${why}.`;
    const record = await throughGrace(this.deps, () => raise(runId));
    return [...findingRiders(thread, [{ kind: 'gate-bypass', message, runId }]), ...record];
  }
}

const eventIn = (text: string): Told[] => {
  try {
    const event = JSON.parse(text) as AguiEvent | null;
    return typeof event === 'object' && event !== null ? [{ event }] : [];
  } catch {
    // Refused for being no JSON: it tells of nothing.
    return [];
  }
};
