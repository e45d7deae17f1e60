import fc from 'fast-check';
import { verifies } from '../../../../test/spec/verifies.js';
import { comparePlaces, inboxCursor, placeIn, readInboxCursor, type Ordered } from './inbox-order.js';
import { INBOX_SORTS, type InboxQuery } from './inbox-query.js';
import { PagePick } from './page-pick.js';

const task: fc.Arbitrary<Ordered> = fc
  .record({
    part: fc.stringMatching(/^[\w-]{16}$/),
    createdAt: fc.integer({ min: 1_000, max: 1_005 }),
    dueIn: fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined }),
    livesFor: fc.integer({ min: 0, max: 99 }),
  })
  .map(({ part, createdAt, dueIn, livesFor }) => ({
    taskId: `${'T'.repeat(22)}.${'r'.repeat(16)}.${part}`,
    priority: 50,
    createdAt,
    expiresAt: createdAt + livesFor,
    ...(dueIn === undefined ? {} : { dueAt: createdAt + dueIn }),
  }));
const tasks = fc.uniqueArray(task, { selector: ({ taskId }) => taskId, maxLength: 40 });

/** All pages of a walk, of which each is asked for later than the one before. */
const walked = (all: readonly Ordered[], query: InboxQuery, size: number): string[] => {
  const found: string[] = [];
  for (let now = 1_003, cursor: string | undefined; ; now += 7) {
    const asked = cursor === undefined ? query : { ...query, cursor };
    const after = readInboxCursor(asked);
    if (!after.ok) throw new Error(after.refusal.code);
    const at = after.value?.at ?? now;
    const pick = new PagePick<Ordered>({
      sort: query.sort ?? 'created',
      at,
      to: 'audience',
      after: after.value,
      size,
    });
    for (const one of all) pick.offer(one);
    found.push(...pick.page.map(({ task: { taskId } }) => taskId));
    const last = pick.page.at(-1);
    if (!last || pick.page.length < size) return found;
    cursor = inboxCursor(asked, last.place);
  }
};

describe('the order of an inbox', () => {
  verifies('APR-81', 'is the same over all pages, each task once, whatever the sort and the time', () => {
    fc.assert(
      fc.property(
        tasks,
        fc.constantFrom(...INBOX_SORTS),
        fc.integer({ min: 1, max: 9 }),
        (all, sort, size) => {
          const places = all
            .map((one) => placeIn(one, { sort, at: 1_003, to: 'audience' }))
            .toSorted(comparePlaces);
          expect(walked(all, { sort }, size)).toEqual(places.map(({ taskId }) => taskId));
        },
      ),
    );
  });

  verifies('APR-81', 'puts first the newest, what is due or expires soonest, or what is most urgent', () => {
    const id = (part: string) => `${'T'.repeat(22)}.${'r'.repeat(16)}.${part.padEnd(16, '-')}`;
    const [old, due, young] = [
      { taskId: id('old'), priority: 50, createdAt: 0, expiresAt: 1_000 },
      { taskId: id('due'), priority: 50, createdAt: 100, dueAt: 200, expiresAt: 5_000 },
      { taskId: id('young'), priority: 50, createdAt: 140, expiresAt: 900 },
    ];
    const by = (sort: InboxQuery['sort']) =>
      walked([due, young, old], sort ? { sort } : {}, 2).map((taskId) => taskId.split('.')[2]?.split('-')[0]);
    expect(by(undefined)).toEqual(['young', 'due', 'old']);
    expect(by('created')).toEqual(['young', 'due', 'old']);
    expect(by('due')).toEqual(['due', 'old', 'young']);
    expect(by('expires')).toEqual(['young', 'old', 'due']);
    expect(by('priority')).toEqual(['due', 'young', 'old']);
  });

  verifies('APR-81', 'goes on with the question a cursor was given for, and with no other', () => {
    const query: InboxQuery = { sort: 'due', group: 'advisors', states: ['pending'] };
    const taskId = `${'T'.repeat(22)}.${'r'.repeat(16)}.${'i'.repeat(16)}`;
    const place = { at: 5, rank: [-50.25, 7] as const, taskId };
    const cursor = inboxCursor(query, place);
    expect(readInboxCursor({ ...query, cursor })).toEqual({ ok: true, value: place });
    expect(
      readInboxCursor({ states: ['pending'], group: 'advisors', sort: 'due', limit: 9, cursor }),
    ).toEqual({
      ok: true,
      value: place,
    });
    const others: InboxQuery[] = [
      {},
      { ...query, sort: 'created' },
      { ...query, group: 'others' },
      { ...query, q: 'x' },
      { sort: 'due', group: 'advisors' },
    ];
    const refused = { ok: false, refusal: { code: 'INVALID_INPUT', details: { pointer: '/cursor' } } };
    for (const other of others) expect(readInboxCursor({ ...other, cursor })).toMatchObject(refused);
    for (const bad of ['', 'nonsense', cursor.slice(0, -2), Buffer.from('a b c d e').toString('base64url')])
      expect(readInboxCursor({ ...query, cursor: bad })).toMatchObject(refused);
  });
});
