/** Holds the policy in force: who asks gets the newest one that was good, who listens is told of the next. */
import type { FileProblem, Policy } from '@triptych/access';

type Listener = (policy: Policy) => void;

/** A policy that was not taken. */
export interface PolicyRefused {
  /** Unix milliseconds. */
  readonly at: number;
  readonly problems: readonly FileProblem[];
}

export class PolicySource {
  private readonly listeners = new Set<Listener>();
  private lastRefused: PolicyRefused | undefined;

  constructor(private policy: Policy) {}

  current(): Policy {
    return this.policy;
  }

  /** undefined: the file says what is in force. */
  refused(): PolicyRefused | undefined {
    return this.lastRefused;
  }

  /** False: this one is in force already. */
  use(policy: Policy): boolean {
    this.lastRefused = undefined;
    if (policy.version === this.policy.version) return false;
    this.policy = policy;
    for (const listener of this.listeners) listener(policy);
    return true;
  }

  /** What is in force stays. */
  refuse(refused: PolicyRefused): void {
    this.lastRefused = refused;
  }

  /** Calls `listener` with every policy that comes into force, until the returned stop. */
  onChange(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}
