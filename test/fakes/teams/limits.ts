/** How often a bot may speak: to one conversation, and in all. */
interface Window {
  readonly ms: number;
  readonly most: number;
}

/** Per bot and conversation, as documented. */
const CONVERSATION: readonly Window[] = [
  { ms: 1_000, most: 7 },
  { ms: 30_000, most: 60 },
];
/** Per app and tenant. */
const TENANT: Window = { ms: 1_000, most: 50 };

export class Limits {
  private readonly times = new Map<string, number[]>();
  private readonly all: number[] = [];
  /** A test that measures something else may lift them. */
  lifted = false;

  constructor(private readonly now: () => number) {}

  /** Seconds to wait; undefined: it is counted and may pass. */
  take(conversation: string): number | undefined {
    if (this.lifted) return undefined;
    const own = this.times.get(conversation) ?? [];
    const waits = [...CONVERSATION.map((window) => this.waitIn(own, window)), this.waitIn(this.all, TENANT)];
    const waitMs = Math.max(...waits);
    if (waitMs > 0) return Math.ceil(waitMs / 1_000);
    own.push(this.now());
    this.all.push(this.now());
    this.times.set(conversation, own.slice(-CONVERSATION.length * 60));
    return undefined;
  }

  private waitIn(times: readonly number[], { ms, most }: Window): number {
    const within = times.filter((at) => at > this.now() - ms);
    const oldest = within.at(-most);
    return oldest === undefined ? 0 : oldest + ms - this.now();
  }
}
