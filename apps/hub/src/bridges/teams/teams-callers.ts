/** Knows who presses buttons in Teams: by the name that Entra gives them, else by the one that only this bot knows. */
import { Inject, Injectable } from '@nestjs/common';
import { forbidden, withoutRole, type Actor } from '@triptych/access';
import { namesOf, type TeamsActivity } from '@triptych/bridges';
import { ok, type Result } from '@triptych/protocol';
import { LinkedCallers } from '../linked-callers.js';

@Injectable()
export class TeamsCallers {
  constructor(@Inject(LinkedCallers) private readonly callers: LinkedCallers) {}

  /** FORBIDDEN: linked to nobody. UNAUTHENTICATED: whoever it is was revoked. */
  actor({ from, id }: TeamsActivity): Result<Actor> {
    let told: Result<Actor> = forbidden('this account is not linked with anybody here');
    for (const name of namesOf(from)) {
      told = this.callers.actor({ kind: 'teams', id: name }, { via: 'teams', requestId: id });
      // What operators alone are shown has no place in a chat.
      if (told.ok) return ok(withoutRole(told.value, 'operator'));
      // Somebody who was revoked under one name is not let in under the other.
      if (told.refusal.code !== 'FORBIDDEN') return told;
    }
    return told;
  }
}
