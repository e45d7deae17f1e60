/** Holds the policy in force; who asks gets the newest one that was good. */
import type { Policy } from '@triptych/access';

export class PolicySource {
  constructor(private policy: Policy) {}

  current(): Policy {
    return this.policy;
  }
}
