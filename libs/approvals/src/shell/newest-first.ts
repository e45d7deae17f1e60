/** Walks the indexes of a tenant's tasks as one line, newest first. */
import type { ApprovalStore, IndexPlace } from '../core/approval-store.js';

/** One step of the walk: few enough to load at once, many enough that a page needs few. */
const STEP = 100;

const isNewer = (a: IndexPlace, b: IndexPlace): boolean =>
  a.score > b.score || (a.score === b.score && a.member > b.member);

async function* walk(
  store: ApprovalStore,
  tenant: string,
  { index, after }: { readonly index: 'open' | 'past'; readonly after: IndexPlace | undefined },
): AsyncGenerator<IndexPlace> {
  let place = after;
  for (;;) {
    const page = await store.tasksOf(tenant, { index, limit: STEP, ...(place ? { after: place } : {}) });
    yield* page;
    place = page.at(-1);
    if (page.length < STEP) return;
  }
}

export interface Walk {
  readonly tenant: string;
  readonly indexes: readonly ('open' | 'past')[];
  readonly after: IndexPlace | undefined;
}

/** A task that changes index while this walks past may come twice; it comes as one. */
export async function* newestFirst(
  store: ApprovalStore,
  { tenant, indexes, after }: Walk,
): AsyncGenerator<IndexPlace> {
  const lines = indexes.map((index) => walk(store, tenant, { index, after }));
  const heads = await Promise.all(
    lines.map(async (line) => (await line.next()).value as IndexPlace | undefined),
  );
  let given: string | undefined;
  for (;;) {
    const best = heads.reduce<number>((chosen, head, i) => {
      const champion = heads[chosen];
      return head && (!champion || isNewer(head, champion)) ? i : chosen;
    }, 0);
    const next = heads[best];
    if (!next) return;
    heads[best] = (await lines[best]?.next())?.value as IndexPlace | undefined;
    if (next.member !== given) yield next;
    given = next.member;
  }
}

export async function* chunksOf(places: AsyncIterable<IndexPlace>): AsyncGenerator<readonly IndexPlace[]> {
  let chunk: IndexPlace[] = [];
  for await (const place of places) {
    chunk.push(place);
    if (chunk.length < STEP) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
