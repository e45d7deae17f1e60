/** Calls listeners one by one; none can keep another from hearing, and who has left hears nothing more. */

export type Report = (error: unknown) => void;

/** An error of a listener is like any uncaught error, but comes after the work it must not disturb. */
export const reportUncaught: Report = (error) =>
  queueMicrotask(() => {
    throw error;
  });

export class Listeners<Heard> {
  private readonly all = new Set<{ readonly hear: (heard: Heard) => void }>();

  constructor(private readonly report: Report) {}

  get size(): number {
    return this.all.size;
  }

  /** The same function twice is two listeners. The answer removes this one; a second call does nothing. */
  add(hear: (heard: Heard) => void): () => void {
    const entry = { hear };
    this.all.add(entry);
    return () => void this.all.delete(entry);
  }

  tell(heard: Heard): void {
    for (const entry of [...this.all]) if (this.all.has(entry)) guarded(() => entry.hear(heard), this.report);
  }
}

export const guarded = (call: () => void, report: Report): void => {
  try {
    call();
  } catch (error) {
    report(error);
  }
};
