/** Knows who calls from a chat: a linked person with their own rights, or nobody. */
import { Inject, Injectable } from '@nestjs/common';
import { spokenFor, type Actor, type BridgedCall } from '@triptych/access';
import { BRIDGES } from '@triptych/assembly/nest';
import type { BridgesFile, LinkedName } from '@triptych/bridges';
import type { Clock } from '@triptych/platform';
import { CLOCK } from '@triptych/platform/nest';
import type { Result } from '@triptych/protocol';
import { Standing } from '../identity/standing.js';

@Injectable()
export class LinkedCallers {
  constructor(
    @Inject(BRIDGES) private readonly file: BridgesFile,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(Standing) private readonly standing: Standing,
  ) {}

  /** FORBIDDEN: that name is linked to nobody. UNAUTHENTICATED: whoever it belongs to was revoked. */
  actor(name: LinkedName, call: Omit<BridgedCall, 'now'>): Result<Actor> {
    const person = this.file.people.find(name);
    const actor = spokenFor({ ...call, now: this.clock.now() }, person);
    return actor.ok ? this.standing.judgeLinked(actor.value) : actor;
  }
}
