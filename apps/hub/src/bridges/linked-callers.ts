/** Knows who calls from a chat: a linked person with their own rights, or nobody. */
import { Inject, Injectable } from '@nestjs/common';
import type { Actor, Passage } from '@triptych/access';
import { BRIDGES } from '@triptych/assembly/nest';
import type { BridgesFile, LinkedName } from '@triptych/bridges';
import type { Clock } from '@triptych/platform';
import { CLOCK } from '@triptych/platform/nest';
import { refuse, type Result } from '@triptych/protocol';
import { Standing } from '../identity/standing.js';

@Injectable()
export class LinkedCallers {
  constructor(
    @Inject(BRIDGES) private readonly file: BridgesFile,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(Standing) private readonly standing: Standing,
  ) {}

  /** UNAUTHENTICATED: that name is linked to nobody, or whoever it belongs to was revoked. */
  actor(name: LinkedName, through: Passage): Result<Actor> {
    const actor = this.file.people.actor(name, through, this.clock.now());
    if (!actor) return refuse('UNAUTHENTICATED', { message: 'This account is linked to nobody here.' });
    return this.standing.judge(actor);
  }
}
