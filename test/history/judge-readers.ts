/** Compares what readers saw with each other: same content at a place, same order, same end. */
import { lastPlaceOf, type Book, type FinalLog, type Violation } from './history.js';
import { walk, type Visit, type Walk } from './walk.js';

const groupOf = ({ surface, threadId }: Book): string => `${surface} of ${threadId}`;

const grouped = (walks: readonly Walk[]): ReadonlyMap<string, readonly Walk[]> => {
  const groups = new Map<string, Walk[]>();
  for (const one of walks) groups.set(groupOf(one.book), [...(groups.get(groupOf(one.book)) ?? []), one]);
  return groups;
};

/** I1, I5: a position means one content, however a reader came there: live, merged, replayed or by a prelude. */
const sameContent = (group: string, walks: readonly Walk[]): Violation[] => {
  const known = new Map<string, { digest: string; reader: string }>();
  const found: Violation[] = [];
  for (const { book, stretches } of walks) {
    for (const { pos, digest } of stretches.flat()) {
      const first = known.get(pos) ?? { digest, reader: book.reader };
      known.set(pos, first);
      if (first.digest !== digest)
        found.push({
          invariant: 'I1',
          what: `${group} at ${pos}: ${first.reader} and ${book.reader} have different content`,
        });
    }
  }
  return found;
};

/** I4: what one reader passed before another place, nobody passed after it. */
const sameOrder = (group: string, walks: readonly Walk[]): Violation[] => {
  const next = new Map<string, Set<string>>();
  for (const stretch of walks.flatMap(({ stretches }) => stretches))
    stretch.slice(1).forEach(({ pos }, nth) => {
      const from = stretch[nth]?.pos ?? '';
      if (from !== pos) next.set(from, (next.get(from) ?? new Set()).add(pos));
    });
  const indegree = new Map<string, number>();
  for (const followers of next.values())
    for (const pos of followers) indegree.set(pos, (indegree.get(pos) ?? 0) + 1);
  const ready = [...next.keys()].filter((pos) => !indegree.has(pos));
  for (let pos = ready.pop(); pos !== undefined; pos = ready.pop()) {
    for (const follower of next.get(pos) ?? []) {
      const left = (indegree.get(follower) ?? 0) - 1;
      if (left > 0) indegree.set(follower, left);
      else indegree.delete(follower);
      if (left === 0) ready.push(follower);
    }
  }
  const [circle] = indegree.keys();
  return circle === undefined
    ? []
    : [{ invariant: 'I4', what: `${group}: readers disagree on the order around ${circle}` }];
};

const endOf = ({ stretches }: Walk): Visit | undefined => stretches.at(-1)?.at(-1);

/** I5: everybody ends where those stand who came when all was over. */
const sameEnd = (group: string, walks: readonly Walk[]): Violation[] => {
  const cold = walks.find(({ book }) => book.cold === true);
  const end = cold && endOf(cold);
  if (!cold || !end) return [{ invariant: 'I5', what: `${group}: nobody came at the end to compare with` }];
  return walks.flatMap((one) => {
    const own = endOf(one);
    if (own?.pos === end.pos && own.digest === end.digest) return [];
    const how = own?.pos === end.pos ? 'has other content than' : `ends at ${own?.pos}, not at ${end.pos} as`;
    return [{ invariant: 'I5', what: `${group}: ${one.book.reader} ${how} ${cold.book.reader}` } as const];
  });
};

/** The operator is shown the log itself: whoever ends at its head must stand where the log ends. */
const endsWithLog = (walks: readonly Walk[], logs: readonly FinalLog[]): Violation[] =>
  logs.flatMap((log) => {
    const { threadId } = log;
    const ends = walks
      .filter(({ book }) => book.threadId === threadId && book.surface === 'operator' && book.cold)
      .map((one) => endOf(one)?.pos);
    const wrong = ends.find((pos) => log.entries.length > 0 && pos !== lastPlaceOf(log));
    return wrong === undefined
      ? []
      : [
          {
            invariant: 'I5',
            what: `operator of ${threadId} ends at ${wrong}, the log at ${lastPlaceOf(log)}`,
          },
        ];
  });

export const judgeReaders = (books: readonly Book[], logs: readonly FinalLog[]): Violation[] => {
  const walks = books.map(walk);
  const groups = [...grouped(walks)];
  return [
    ...walks.flatMap(({ faults }) => faults),
    ...groups.flatMap(([group, members]) => sameContent(group, members)),
    ...groups.flatMap(([group, members]) => sameOrder(group, members)),
    ...groups.flatMap(([group, members]) => sameEnd(group, members)),
    ...endsWithLog(walks, logs),
  ];
};
