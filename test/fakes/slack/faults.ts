/** What goes wrong on the way, by method, for as many calls as a test asks for. */
export type FaultKind =
  /** Everything is done, and nobody is told: the connection closes before the answer. */
  | 'drop-reply'
  /** The connection is reset before anything is done. */
  | 'reset'
  /** HTTP 500, nothing is done. */
  | 'broken'
  /** HTTP 500 after everything was done. */
  | 'broken-late'
  /** The answer comes, but so late that nobody waits for it any more. */
  | 'slow';

interface Planned {
  readonly kind: FaultKind;
  readonly method: string;
  left: number;
}

export class Faults {
  private readonly planned: Planned[] = [];

  /** The next so many calls of the method go wrong in this way. */
  next(method: string, kind: FaultKind, times = 1): void {
    this.planned.push({ method, kind, left: times });
  }

  take(method: string): FaultKind | undefined {
    const plan = this.planned.find((each) => each.method === method && each.left > 0);
    if (!plan) return undefined;
    plan.left -= 1;
    return plan.kind;
  }

  clear(): void {
    this.planned.length = 0;
  }
}
