/** Walks a tenant's tasks in the store, batch by batch, and mends the index entries that lead elsewhere. */
import type { IndexPlace } from '../core/approval-store.js';
import { openTasks, taskIn, type Batch } from '../core/batch.js';
import { parseTaskId } from '../core/ids.js';
import { beside, type ReadingDesk } from './desk.js';
import { loadReadable, type Readable } from './load-readable.js';

/** Entries read at once: few enough that nobody else waits long for the store. */
const STEP = 250;
/** An entry without its task is dropped after this: until then its task may still come. Milliseconds. */
const DANGLING_MS = 3_600_000;
/** Tasks that are over are found this far back, newest first; what is older is read by its id. */
export const MAX_PAST = 50_000;

export interface Line {
  readonly tenant: string;
  readonly index: 'open' | 'past';
}

const batchIdOf = ({ member }: IndexPlace): string => parseTaskId(member)?.batchId ?? '';

/** Each batch once, newest first: the tasks of one batch were opened together, so they stand together. */
export async function* walkBatches(desk: ReadingDesk, line: Line): AsyncGenerator<readonly Batch[]> {
  const now = await desk.store.now();
  let after: IndexPlace | undefined;
  for (let seen = 0; line.index === 'open' || seen < MAX_PAST; seen += STEP) {
    const { tenant, index } = line;
    const page = await desk.store.tasksOf(tenant, { index, limit: STEP, ...(after ? { after } : {}) });
    const before = after && batchIdOf(after);
    const places = page.filter((place) => batchIdOf(place) !== before);
    const ids = new Set(places.map(batchIdOf).filter((id) => id !== ''));
    const readable = await loadReadable(desk, [...ids]);
    mend(desk, { line, places, readable, now });
    yield readable.loaded.map(({ batch }) => batch);
    after = page.at(-1);
    if (page.length < STEP) return;
  }
}

interface Seen {
  readonly line: Line;
  readonly places: readonly IndexPlace[];
  readonly readable: Readable;
  readonly now: number;
}

/** Entries are written before their tasks and leave after them; both ends are mended by whoever comes by. */
const mend = (desk: ReadingDesk, seen: Seen): void => {
  const dead = danglingIn(seen);
  if (dead.length > 0) beside(desk, 'approvals.index-late', desk.store.forget(seen.line.tenant, dead));
  const entries = new Set(seen.places.map(({ member }) => member));
  for (const { batch } of seen.readable.loaded) {
    const open = new Set(openTasks(batch).map(({ taskId }) => taskId));
    const here = batch.facts.taskIds.filter((taskId) => entries.has(taskId));
    const elsewhere = here.filter((taskId) => open.has(taskId) !== (seen.line.index === 'open'));
    if (elsewhere.length === 0) continue;
    const moved =
      seen.line.index === 'open' ? desk.store.retire(batch, elsewhere) : desk.store.announce(batch);
    beside(desk, 'approvals.index-late', moved);
  }
};

const danglingIn = ({ places, readable, now }: Seen): string[] => {
  const batches = new Map(readable.loaded.map(({ batch }) => [batch.facts.batchId, batch]));
  const isThere = (place: IndexPlace): boolean => {
    const batch = batches.get(batchIdOf(place));
    return batch ? taskIn(batch, place.member) !== undefined : readable.damaged.includes(batchIdOf(place));
  };
  const old = places.filter(({ score }) => now - score > DANGLING_MS);
  return old.filter((place) => !isThere(place)).map(({ member }) => member);
};
