/** Answers what an agent's socket sends: what it appends is stored, what it takes first is its own. */
import { Inject, Injectable } from '@nestjs/common';
import { forbidden, type TokenVerifier } from '@triptych/access';
import type { AgentFrame } from '@triptych/fanout';
import type { Log } from '@triptych/platform';
import { LOG } from '@triptych/platform/nest';
import { asThreadId, ok, refuse, type CloseReason, type Result } from '@triptych/protocol';
import { refusalOf } from '../http/refusal-of.js';
import { TOKENS } from '../identity/tokens.providers.js';
import { AgentSockets, type OpenAgent } from '../rooms/agent-sockets.js';
import { IngestDesk } from './ingest-desk.js';
import { elementsOf, memberOf } from './json-slices.js';
import { readEvents } from './read-events.js';
import { producerInFrame } from './read-producer.js';

type Answered = Result<unknown> & { readonly thenClose?: CloseReason };

/** Into what the frame carries. */
const POINTERS = { producer: '/producer', events: '/events' };

@Injectable()
export class AgentFrames {
  constructor(
    @Inject(IngestDesk) private readonly desk: IngestDesk,
    @Inject(AgentSockets) private readonly sockets: AgentSockets,
    @Inject(TOKENS) private readonly tokens: TokenVerifier,
    @Inject(LOG) private readonly log: Log,
  ) {}

  async answer(open: OpenAgent, frame: AgentFrame): Promise<Answered> {
    try {
      return await this.handle(open, frame);
    } catch (error) {
      return { ok: false, refusal: refusalOf(error, this.log, { frame: frame.event }) };
    }
  }

  private handle(open: OpenAgent, frame: AgentFrame): Promise<Answered> {
    switch (frame.event) {
      case 'append':
        return this.append(open, frame);
      case 'run.take':
        return this.take(open, frame);
      case 'auth':
        return this.reauthenticate(open, frame);
      case 'ping':
        return Promise.resolve(ok({}));
    }
  }

  private async append(open: OpenAgent, { data, text }: AgentFrame): Promise<Answered> {
    const producer = producerInFrame(data.producer);
    if (!producer.ok) return producer;
    const texts = elementsOf(memberOf(memberOf(text, 'data') ?? '', 'events') ?? '');
    if (!texts) return refuse('INVALID_INPUT', { details: { pointer: POINTERS.events } });
    const items = readEvents(texts, POINTERS.events);
    if (!items.ok) return items;
    const { threadId } = data;
    const socket = open.session.id;
    const from = { threadId, producer: producer.value, items: items.value, pointers: POINTERS, socket };
    const pushed = await this.desk.push(open.actor, from);
    if (pushed.ok) this.sockets.speaksFor(open, asThreadId(String(threadId)));
    return pushed;
  }

  private async take(open: OpenAgent, { data: { threadId, runId } }: AgentFrame): Promise<Answered> {
    const taken = await this.desk.take(open.actor, { threadId, runId, socket: open.session.id });
    if (taken.ok) this.sockets.speaksFor(open, asThreadId(String(threadId)));
    return taken;
  }

  /** The same agent with a newer token. */
  private async reauthenticate(open: OpenAgent, { data: { token } }: AgentFrame): Promise<Answered> {
    if (typeof token !== 'string') return refuse('INVALID_INPUT', { details: { pointer: '/token' } });
    const verified = await this.tokens.verify(token);
    if (!verified.ok) return verified;
    const actor = verified.value;
    if (actor.subject !== open.actor.subject || actor.tenant !== open.actor.tenant)
      return forbidden('the token is somebody else’s');
    const agent = this.desk.agentOf(actor);
    if (!agent.ok) return { ...agent, thenClose: 'FORBIDDEN' };
    open.actor = actor;
    open.session.renew(actor.expiresAt);
    return ok({ expiresAt: actor.expiresAt });
  }
}
