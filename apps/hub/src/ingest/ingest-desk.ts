/** Lets agents write to their own threads, whichever door they came by. */
import { Inject, Injectable } from '@nestjs/common';
import { can, type Actor } from '@triptych/access';
import { AGENTS, PUSHES, type AgentDirectory } from '@triptych/assembly/nest';
import { ok, refuse, type Result } from '@triptych/protocol';
import {
  comesByItself,
  type PushAgent,
  type PushAnswer,
  type PushIntake,
  type PushItem,
  type PushProducer,
} from '@triptych/runs';
import { parseThreadId } from '../http/parse-ids.js';

export interface Pushed {
  readonly threadId: unknown;
  readonly producer: PushProducer | undefined;
  readonly items: readonly PushItem[];
  /** Where it is told that a producer is missing. */
  readonly pointer: string;
  readonly socket?: string;
}

@Injectable()
export class IngestDesk {
  constructor(
    @Inject(AGENTS) private readonly agents: AgentDirectory,
    @Inject(PUSHES) private readonly intake: PushIntake,
  ) {}

  /** The agent that the caller is, if it comes by itself. */
  agentOf(actor: Actor): Result<PushAgent> {
    const { tenant, subject } = actor;
    const agent = this.agents.runAgent(subject);
    const may = can(actor, 'events.push', { tenant, agentId: subject, owner: subject });
    return may && agent && comesByItself(agent) ? ok(agent) : refuse('FORBIDDEN');
  }

  async push(actor: Actor, pushed: Pushed): Promise<Result<PushAnswer>> {
    const agent = this.agentOf(actor);
    if (!agent.ok) return agent;
    const thread = parseThreadId(pushed.threadId);
    if (!thread.ok) return thread;
    const { producer, items, socket, pointer } = pushed;
    if (!producer)
      return refuse('INVALID_INPUT', { message: 'A producer is missing.', details: { pointer } });
    return this.intake.push({
      thread: thread.value,
      agent: agent.value,
      tenant: actor.tenant,
      subject: actor.subject,
      producer,
      items,
      ...(socket === undefined ? {} : { socket }),
    });
  }
}
