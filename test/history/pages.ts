/** The notes of one reader, a page a thread. */
import type { Surface } from '@triptych/protocol';
import type { Book, Note } from './history.js';

const SHOWN_CHARS = 200;

export class Pages {
  private readonly pages = new Map<string, Note[]>();

  constructor(
    private readonly reader: string,
    private readonly surface: Surface,
    private readonly secrets: readonly string[],
  ) {}

  add(threadId: string, note: Note): void {
    const page = this.pages.get(threadId) ?? [];
    page.push(note);
    this.pages.set(threadId, page);
  }

  /** Whatever was received, as it was received. */
  search(threadId: string, text: string): void {
    for (const secret of this.secrets) {
      const at = text.indexOf(secret);
      if (at >= 0)
        this.add(threadId, { kind: 'leak', secret, text: text.slice(Math.max(0, at - SHOWN_CHARS), at) });
    }
  }

  books(cold: boolean): readonly Book[] {
    const { reader, surface } = this;
    return [...this.pages].map(([threadId, notes]) => ({
      reader,
      surface,
      threadId,
      notes,
      ...(cold && { cold }),
    }));
  }
}
