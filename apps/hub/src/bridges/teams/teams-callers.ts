/** Knows who presses buttons in Teams: by the name that Entra gives them, else by the one that only this bot knows. */
import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import { namesOf, type TeamsActivity } from '@triptych/bridges';
import { ok, refuse, type Result } from '@triptych/protocol';
import { LinkedCallers } from '../linked-callers.js';

/** What operators alone are shown has no place in a chat. */
const inChat = (actor: Actor): Actor => ({
  ...actor,
  roles: actor.roles.filter((role) => role !== 'operator'),
});

@Injectable()
export class TeamsCallers {
  constructor(@Inject(LinkedCallers) private readonly callers: LinkedCallers) {}

  /** FORBIDDEN: linked to nobody. UNAUTHENTICATED: whoever it is was revoked. */
  actor({ from, id }: TeamsActivity): Result<Actor> {
    let told: Result<Actor> = refuse('FORBIDDEN');
    for (const name of namesOf(from)) {
      told = this.callers.actor({ kind: 'teams', id: name }, { via: 'teams', requestId: id });
      if (told.ok) return ok(inChat(told.value));
      // Somebody who was revoked under one name is not let in under the other.
      if (told.refusal.code !== 'FORBIDDEN') return told;
    }
    return told;
  }
}
