/** What can go wrong between the bot and Teams, switched on for the next calls. */
export type Fault =
  /** Done, and nobody hears of it. */
  | { readonly kind: 'drop-reply' }
  /** Not done, and nobody hears why. */
  | { readonly kind: 'reset' }
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterS?: number }
  /** Done, but said late. */
  | { readonly kind: 'slow'; readonly ms: number };

export type CallKind = 'post' | 'update' | 'remove' | 'open' | 'member' | 'token';

export class Faults {
  private readonly planned: { readonly call: CallKind; readonly fault: Fault }[] = [];

  /** The next call of the kind, and so many after it. */
  next(call: CallKind, fault: Fault, times = 1): void {
    for (let nth = 0; nth < times; nth += 1) this.planned.push({ call, fault });
  }

  take(call: CallKind): Fault | undefined {
    const at = this.planned.findIndex((one) => one.call === call);
    return at === -1 ? undefined : this.planned.splice(at, 1)[0]?.fault;
  }

  clear(): void {
    this.planned.length = 0;
  }
}
