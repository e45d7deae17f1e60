/** Proves that a feed hands on every entry once, whatever is lost, late or repeated on the way. */
import fc from 'fast-check';
import { verifies } from '../../../../test/spec/verifies.js';
import type { Announcement } from './announcement.js';
import { type Batch, batchFrom } from './batch.js';
import { type Behind, type Feed, type Step, catchUp, compare, hear, startFeed } from './feed.js';
import { joinFrom } from './join-buffer.js';
import { type Page, pageOf } from './page.js';

const EPOCH = 'e1';
const batch = (first: number, last: number): Batch =>
  batchFrom(
    first,
    1,
    Array.from({ length: last - first + 1 }, () => ({ source: 'agent', json: '{"type":"CUSTOM"}' })),
  );
const told = (first: number, last: number, epoch = EPOCH): Announcement => ({
  kind: 'batch',
  epoch,
  batch: batch(first, last),
});
const page = (head: number, batches: readonly Batch[], epoch = EPOCH): Page => ({
  epoch,
  head,
  firstSeq: 1,
  batches,
});
const seqs = ({ deliver }: Step): number[] => deliver.map(({ seq }) => seq);
const liveAt = (at: number): Feed => ({ phase: 'live', epoch: EPOCH, at });
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

type Action =
  | { readonly do: 'append'; readonly size: number; readonly pointer: boolean }
  | { readonly do: 'hear' | 'hear-twice' | 'lose' | 'ask' | 'answer' | 'compare' };

/** A log, a channel and a read under way, driven by a script of actions. */
class World {
  feed: Feed = startFeed(0);
  readonly seen: number[] = [];
  private readonly batches: Batch[] = [];
  private readonly channel: Announcement[] = [];
  private asked: { readonly feed: Behind; readonly page: Page } | undefined;

  get head(): number {
    return this.batches.at(-1)?.last ?? 0;
  }

  act(action: Action): void {
    switch (action.do) {
      case 'append':
        return this.append(action);
      case 'hear':
        return this.hear(this.channel.shift());
      case 'hear-twice':
        return this.hear(this.channel[0]);
      case 'lose':
        return void this.channel.shift();
      case 'ask':
        return this.ask();
      case 'answer':
        return this.answer();
      case 'compare':
        if (this.feed.phase !== 'rotated')
          this.take(compare(this.feed, { epoch: this.epoch, head: this.head }, this.feed));
    }
  }

  settle(): void {
    this.act({ do: 'compare' });
    while (this.feed.phase === 'behind') {
      this.act({ do: 'ask' });
      this.act({ do: 'answer' });
    }
  }

  private get epoch(): string {
    return this.head === 0 ? '' : EPOCH;
  }

  private append({ size, pointer }: { size: number; pointer: boolean }): void {
    const added = batch(this.head + 1, this.head + size);
    this.batches.push(added);
    this.channel.push(
      pointer
        ? { kind: 'pointer', epoch: EPOCH, last: added.last }
        : { kind: 'batch', epoch: EPOCH, batch: added },
    );
  }

  private hear(heard: Announcement | undefined): void {
    if (heard !== undefined) this.take(hear(this.feed, heard));
  }

  private ask(): void {
    if (this.feed.phase !== 'behind' || this.asked !== undefined) return;
    const { at } = this.feed;
    const some = this.batches.filter(({ last }) => last > at).slice(0, 3);
    this.asked = { feed: this.feed, page: page(this.head, some, this.epoch) };
  }

  private answer(): void {
    const { asked } = this;
    this.asked = undefined;
    if (asked !== undefined) this.take(catchUp(this.feed, asked.page, asked.feed));
  }

  private take(step: Step): void {
    this.feed = step.feed;
    this.seen.push(...seqs(step));
  }
}

const actions: fc.Arbitrary<Action[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('append' as const),
        size: fc.integer({ min: 1, max: 4 }),
        pointer: fc.boolean(),
      }),
    },
    {
      weight: 8,
      arbitrary: fc.constantFrom('hear', 'ask', 'answer').map((what) => ({ do: what }) as Action),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom('hear-twice', 'lose', 'compare').map((what) => ({ do: what }) as Action),
    },
  ),
  { maxLength: 120 },
);

describe('feed', () => {
  verifies('LOG-6', 'in every history of losses, repeats and delays each entry comes once, in order', () => {
    fc.assert(
      fc.property(actions, (script) => {
        const world = new World();
        for (const action of script) {
          world.act(action);
          expect(world.seen).toEqual(range(1, world.seen.length));
        }
        world.settle();
        expect([world.feed.phase, world.seen.length]).toEqual(['live', world.head]);
      }),
      { numRuns: 500 },
    );
  });

  verifies('LOG-6', 'a gap asks for a read and holds what is beyond it', () => {
    const gap = hear(liveAt(3), told(6, 7));
    expect(gap).toMatchObject({ feed: { phase: 'behind', at: 3, target: 7 }, deliver: [] });
    const asked = gap.feed as Behind;
    const filled = catchUp(hear(asked, told(8, 8)).feed, page(5, [batch(4, 5)]), { ...asked, target: 5 });
    expect(seqs(filled)).toEqual([4, 5, 6, 7, 8]);
    expect(filled.feed).toEqual({ phase: 'live', epoch: EPOCH, at: 8 });
  });

  verifies('LOG-6', 'more than can be held is read again', () => {
    let feed: Feed = startFeed(0);
    for (let n = 1; n <= 400; n += 1) feed = hear(feed, told(n, n)).feed;
    const first = catchUp(feed, page(100, [batch(1, 100)]), startFeed(0));
    expect([seqs(first).length, first.feed]).toMatchObject([100, { phase: 'behind', at: 100, target: 400 }]);
    const asked = first.feed as Behind;
    const second = catchUp(asked, page(400, [batch(101, 400)]), asked);
    expect([seqs(second), second.feed.phase]).toEqual([range(101, 400), 'live']);
  });

  verifies('LOG-12', 'another epoch ends the feed, live or behind', () => {
    const over = { feed: { phase: 'rotated', epoch: 'e2' }, deliver: [] };
    expect(hear(liveAt(3), told(4, 4, 'e2'))).toEqual(over);
    expect(hear(liveAt(3), { kind: 'rotated', epoch: 'e2' })).toEqual(over);
    const behind: Behind = { phase: 'behind', epoch: EPOCH, at: 3, target: 5, held: [] };
    expect(catchUp(behind, page(9, [batch(4, 9)], 'e2'), behind)).toEqual(over);
    expect(compare(liveAt(3), { epoch: 'e2', head: 3 }, { phase: 'live', epoch: EPOCH, at: 3 })).toEqual(
      over,
    );
    expect(hear(over.feed as Feed, told(1, 1)).deliver).toEqual([]);
  });

  verifies('LOG-12', 'a log shorter than what was delivered or announced has gone back', () => {
    const live = { phase: 'live', epoch: EPOCH, at: 3 } as const;
    expect(compare(live, { epoch: EPOCH, head: 2 }, live).feed.phase).toBe('rotated');
    expect(compare(live, { epoch: '', head: 0 }, live).feed.phase).toBe('rotated');
    const behind: Behind = { phase: 'behind', epoch: EPOCH, at: 3, target: 6, held: [] };
    expect(catchUp(behind, page(5, [batch(4, 5)]), behind).feed.phase).toBe('rotated');
    const trimmed = { ...page(9, [batch(8, 9)]), firstSeq: 8 };
    expect(catchUp(behind, trimmed, behind).feed.phase).toBe('rotated');
  });

  verifies('LOG-12', 'a position that is older than what came meanwhile is no loss', () => {
    const asked = { phase: 'live', epoch: EPOCH, at: 3 } as const;
    expect(compare(liveAt(5), { epoch: EPOCH, head: 4 }, asked).feed).toEqual(liveAt(5));
  });

  verifies('LOG-5', 'a log that is made anew while one joins is read anew', () => {
    const joining = hear(hear(startFeed(0), told(5, 5, 'e1')).feed, { kind: 'rotated', epoch: 'e2' });
    const again = catchUp(joining.feed, page(6, [batch(1, 6)], 'e2'), startFeed(0));
    expect([again.deliver, again.feed]).toEqual([[], startFeed(0)]);
    const joined = catchUp(again.feed, page(6, [batch(1, 6)], 'e2'), startFeed(0));
    expect([seqs(joined), joined.feed]).toEqual([range(1, 6), { phase: 'live', epoch: 'e2', at: 6 }]);
  });

  verifies('LOG-11', 'the seqs of a void are passed over', () => {
    const nothing: Batch = { first: 4, last: 6, entries: [] };
    const joined = joinFrom(2, [batch(1, 3), nothing, batch(7, 8)]);
    expect([joined.entries.map(({ seq }) => seq), joined.at]).toEqual([[3, 7, 8], 8]);
  });

  verifies('LOG-21', 'a page with a hole is an error', () => {
    const entry = (id: number, n: number): [string, string[]] => [
      `${id}-0`,
      ['n', String(n), 't', '1', ...Array.from({ length: n }, () => ['a', '{"type":"X"}']).flat()],
    ];
    expect(() => pageOf(['e', '9', '1', [entry(3, 3), entry(9, 5)]], 0)).toThrow('seq 4 to 4');
    expect(() => pageOf(['e', '9', '1', [entry(9, 5)]], 3)).toThrow('seq 4 to 4');
    expect(() => pageOf(['e', '9', '1', []], 3)).toThrow('seq 4 to 9');
    expect(pageOf(['e', '9', '5', [entry(9, 5)]], 0)).toMatchObject({ head: 9, firstSeq: 5 });
  });
});
