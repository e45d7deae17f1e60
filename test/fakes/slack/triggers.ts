/** Leave to open a modal: each is good once, and for three seconds after the person acted. */
const GOOD_FOR_MS = 3_000;
/** Old ones are forgotten. */
const MAX_KEPT = 10_000;

interface Given {
  readonly user: string;
  readonly at: number;
  used: boolean;
}

export class Triggers {
  private readonly given = new Map<string, Given>();

  constructor(private readonly now: () => number) {}

  give(id: string, user: string): string {
    this.given.set(id, { user, at: this.now(), used: false });
    const [oldest] = this.given.keys();
    if (this.given.size > MAX_KEPT && oldest !== undefined) this.given.delete(oldest);
    return id;
  }

  /** The person it was given to, or what is wrong with it. */
  use(id: unknown): { readonly user: string } | { readonly error: string } {
    const trigger = typeof id === 'string' ? this.given.get(id) : undefined;
    if (!trigger) return { error: 'invalid_trigger_id' };
    if (trigger.used) return { error: 'exchanged_trigger_id' };
    if (this.now() - trigger.at > GOOD_FOR_MS) return { error: 'expired_trigger_id' };
    trigger.used = true;
    return { user: trigger.user };
  }
}
