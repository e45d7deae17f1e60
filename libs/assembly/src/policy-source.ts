/** Holds the policy in force: who asks gets the newest one that was good, who listens is told of the next. */
import type { Policy } from '@triptych/access';

type Listener = (policy: Policy) => void;

export class PolicySource {
  private readonly listeners = new Set<Listener>();

  constructor(private policy: Policy) {}

  current(): Policy {
    return this.policy;
  }

  /** False: this one is in force already. */
  use(policy: Policy): boolean {
    if (policy.version === this.policy.version) return false;
    this.policy = policy;
    for (const listener of this.listeners) listener(policy);
    return true;
  }

  /** Calls `listener` with every policy that comes into force, until the returned stop. */
  onChange(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}
