/** Shows one redacted value to whoever says why; who, what and why are written down before it is answered. */
import { Inject, Injectable } from '@nestjs/common';
import { forbidden, surfaceFor, type Actor } from '@triptych/access';
import type { Approvals } from '@triptych/approvals';
import { APPROVALS } from '@triptych/assembly/nest';
import { ok, type Result } from '@triptych/protocol';
import { parseThreadId } from '../http/parse-ids.js';
import { RevealRates } from './reveal-rates.js';
import type { RevealDto } from './reveal.dto.js';
import { StateReveal } from './state-reveal.js';

export interface Revealed {
  readonly pointer: string;
  readonly value: unknown;
}

@Injectable()
export class RevealDesk {
  constructor(
    @Inject(APPROVALS) private readonly approvals: Approvals,
    @Inject(StateReveal) private readonly states: StateReveal,
    @Inject(RevealRates) private readonly rates: RevealRates,
  ) {}

  async reveal(actor: Actor, threadId: unknown, asked: RevealDto): Promise<Result<Revealed>> {
    // Before anything is looked for: whether it is there must not show in the answer.
    if (!surfaceFor(actor, { asked: 'reviewer' })) return forbidden('no surface of yours shows it redacted');
    const rate = this.rates.take(actor);
    if (!rate.ok) return rate;
    const found = await this.find(actor, threadId, asked);
    return found.ok ? ok({ pointer: asked.pointer, value: found.value }) : found;
  }

  private async find(actor: Actor, threadId: unknown, asked: RevealDto): Promise<Result<unknown>> {
    const { taskId, pointer, reason } = asked;
    if (taskId === undefined) return this.states.reveal(actor, threadId, asked);
    const thread = parseThreadId(threadId);
    if (!thread.ok) return thread;
    return this.approvals.reveal(actor, taskId, { threadId: thread.value, pointer, reason });
  }
}
