/** Lets agents write to their own threads, whichever door they came by. */
import { Inject, Injectable } from '@nestjs/common';
import { forbidden, permit, type Actor } from '@triptych/access';
import { AGENTS, PUSHES, type AgentDirectory } from '@triptych/assembly/nest';
import { ok, refuse, type Result, type RunAgentInput, type ThreadId } from '@triptych/protocol';
import {
  comesByItself,
  type PushAgent,
  type PushAnswer,
  type PushIntake,
  type PushItem,
  type PushProducer,
} from '@triptych/runs';
import { UnreadRuns } from '../runs/unread-runs.js';
import { parseRunId, parseThreadId } from '../http/parse-ids.js';

export interface Pushed {
  readonly threadId: unknown;
  readonly producer: PushProducer | undefined;
  readonly items: readonly PushItem[];
  /** Where it is told that a producer is missing, and where the list of events is. */
  readonly pointers: { readonly producer: string; readonly events: string };
  readonly socket?: string;
}

interface Worked {
  readonly agent: PushAgent;
  readonly thread: ThreadId;
}

export interface Taken {
  readonly threadId: unknown;
  readonly runId: unknown;
  readonly socket: string;
}

@Injectable()
export class IngestDesk {
  constructor(
    @Inject(AGENTS) private readonly agents: AgentDirectory,
    @Inject(PUSHES) private readonly intake: PushIntake,
    @Inject(UnreadRuns) private readonly unread: UnreadRuns,
  ) {}

  /** The agent that the caller is, if it comes by itself. */
  agentOf(actor: Actor): Result<PushAgent> {
    const { tenant, subject } = actor;
    const agent = this.agents.runAgent(subject);
    const may = permit(actor, 'events.push', { tenant, agentId: subject, owner: subject });
    if (!may.ok) return may;
    return agent && comesByItself(agent) ? ok(agent) : forbidden('this agent is called, and does not come');
  }

  async push(actor: Actor, pushed: Pushed): Promise<Result<PushAnswer>> {
    const agent = this.agentOf(actor);
    if (!agent.ok) return agent;
    const thread = parseThreadId(pushed.threadId);
    if (!thread.ok) return thread;
    const { producer, items, socket, pointers } = pushed;
    const request = {
      ...{ thread: thread.value, agent: agent.value, tenant: actor.tenant, subject: actor.subject },
      ...{ items, at: pointers.events },
      ...(socket === undefined ? {} : { socket }),
    };
    const hasPositions = items[0]?.position !== undefined;
    if (hasPositions && !producer) return this.watched(request, this.intake.pushInOrder(request));
    if (producer && !hasPositions) return this.watched(request, this.intake.push({ ...request, producer }));
    const message = producer ? 'Positions stand in the place of a producer.' : 'A producer is missing.';
    return refuse('INVALID_INPUT', { message, details: { pointer: pointers.producer } });
  }

  /** First come, first served; the input is given once. */
  async take(actor: Actor, { threadId, runId, socket }: Taken): Promise<Result<{ input: RunAgentInput }>> {
    const agent = this.agentOf(actor);
    if (!agent.ok) return agent;
    const thread = parseThreadId(threadId);
    if (!thread.ok) return thread;
    const run = parseRunId(runId);
    if (!run.ok) return run;
    const { tenant } = actor;
    const taking = { thread: thread.value, runId: run.value, tenant, agent: agent.value, socket };
    return this.watched(taking, this.intake.offers.take(taking));
  }

  /** Whichever hub the agent comes to watches for it: the one that its run was asked of may be gone. */
  private async watched<T>({ agent, thread }: Worked, answered: Promise<Result<T>>): Promise<Result<T>> {
    const answer = await answered;
    const endsUnread = this.agents.find(agent.id)?.onNoSubscribers === 'cancel';
    if (answer.ok && endsUnread) this.unread.watchPushed(thread);
    return answer;
  }
}
