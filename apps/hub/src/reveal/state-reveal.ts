/** Finds one redacted value of a thread's state, and keeps among its findings who was shown it and why. */
import { Inject, Injectable } from '@nestjs/common';
import { permit, revealState, type Actor } from '@triptych/access';
import { POLICY, type PolicySource } from '@triptych/assembly/nest';
import type { Rooms } from '@triptych/fanout';
import { REDIS } from '@triptych/platform/nest';
import type { Model, Result } from '@triptych/protocol';
import { keepFinding } from '@triptych/runs';
import type { Redis } from 'ioredis';
import { recordDeed } from '../identity/record.js';
import { ROOMS } from '../rooms/rooms.providers.js';
import { ThreadAccess } from '../threads/thread-access.js';
import type { RevealDto } from './reveal.dto.js';

@Injectable()
export class StateReveal {
  constructor(
    @Inject(ThreadAccess) private readonly access: ThreadAccess,
    @Inject(POLICY) private readonly policy: PolicySource,
    @Inject(ROOMS) private readonly rooms: Rooms,
    @Inject(REDIS) private readonly redis: Redis,
  ) {}

  async reveal(actor: Actor, threadId: unknown, { pointer, reason }: RevealDto): Promise<Result<unknown>> {
    const seen = await this.access.find(actor, threadId, 'reviewer');
    if (!seen.ok) return seen;
    const { thread } = seen.value;
    const facts = await this.access.facts(actor, thread, 'reviewer');
    const allowed = permit(actor, 'state.reveal', facts);
    if (!allowed.ok) return allowed;
    const { model } = await this.rooms.glance(thread.threadId, 'operator');
    const { state } = model as Model;
    const found = revealState(this.policy.current(), 'reviewer', { state, pointer });
    if (!found.ok) return found;
    const finding = { kind: 'reveal', by: actor.subject, pointer, message: reason } as const;
    await keepFinding(this.redis, thread.threadId, finding);
    const subject = { thread: thread.threadId };
    const after = { pointer, text: reason };
    await recordDeed(this.redis, actor, { action: 'state.reveal', facts, subject, after });
    return found;
  }
}
