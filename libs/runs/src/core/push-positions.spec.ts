import * as fc from 'fast-check';
import { verifies } from '../../../../test/spec/verifies.js';
import {
  cameLate,
  MAX_GAPS,
  NOTHING_PASSED,
  passOver,
  planOrder,
  type Order,
  type Passed,
  type Positioned,
  type Waiting,
} from './push-positions.js';

const WINDOW = 100;

/** A store that does what the plans say, as every hub would. */
class Kept {
  order: Order = { next: 1, ...NOTHING_PASSED, waiting: [] };
  readonly stored: number[] = [];
  readonly late: number[] = [];
  repeats = 0;

  /** One push, or with nothing in it a look at what has waited long enough. */
  push(positions: readonly number[], now: number): void {
    let open: readonly Positioned[] = positions.map((position) => ({ position }));
    for (;;) {
      const plan = planOrder(this.order, open, { now, windowMs: WINDOW });
      this.repeats += plan.repeats.length;
      for (const { position } of plan.late) {
        this.late.push(position);
        this.order = { ...this.order, ...cameLate(this.order, position) };
      }
      const settled = new Set<Positioned>([...plan.repeats, ...plan.late, ...plan.go]);
      open = open.filter((item) => !settled.has(item));
      if (plan.go.length === 0) return this.wait(plan.later, now);
      this.store(plan);
    }
  }

  private store({ go, missing }: ReturnType<typeof planOrder>): void {
    const taken = new Set(go.map(({ position }) => position));
    this.stored.push(...taken);
    this.order = {
      next: Math.max(...taken) + 1,
      ...(missing ? passOver(this.order, missing) : { floor: this.order.floor, gaps: this.order.gaps }),
      waiting: this.order.waiting.filter(({ position }) => !taken.has(position)),
    };
  }

  private wait(later: readonly Positioned[], now: number): void {
    const kept = later.map(({ position }): Waiting => ({ position, at: now, chars: 1 }));
    this.order = { ...this.order, waiting: [...this.order.waiting, ...kept] };
  }
}

const isAscending = (positions: readonly number[]): boolean =>
  positions.every((position, nth) => nth === 0 || position > (positions[nth - 1] ?? 0));

const anyPushes = fc.array(fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 8 }), { maxLength: 40 });

describe('positions', () => {
  verifies('ING-16', 'of any sources, shuffled and repeated, are stored in order, each once', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        anyPushes,
        fc.infiniteStream(fc.nat()),
        (count, extra, chance) => {
          const kept = new Kept();
          const all = Array.from({ length: count }, (_, nth) => nth + 1);
          const shuffled = all
            .map((position) => ({ position, by: Number(chance.next().value) }))
            .toSorted((a, b) => a.by - b.by);
          const within = extra.map((push) => push.filter((position) => position <= count));
          for (const { position } of shuffled) {
            kept.push([position], 0);
            kept.push(within.pop() ?? [], 0);
          }
          expect(kept.stored).toEqual(all);
          expect(kept.late).toEqual([]);
          expect(kept.order).toEqual({ next: count + 1, ...NOTHING_PASSED, waiting: [] });
        },
      ),
    );
  });

  verifies('ING-17', 'that are missing are waited for as long as was said, and then passed over', () => {
    fc.assert(
      fc.property(anyPushes, fc.array(fc.integer({ min: 0, max: 60 })), (pushes, pauses) => {
        const kept = new Kept();
        let now = 0;
        for (const push of pushes) {
          now += pauses.pop() ?? 10;
          kept.push(push, now);
          for (const { at } of kept.order.waiting) expect(now).toBeLessThan(at + WINDOW);
        }
        kept.push([], now + WINDOW);
        expect(kept.order.waiting).toEqual([]);
        const sent = new Set(pushes.flat());
        expect([...kept.stored, ...kept.late].toSorted((a, b) => a - b)).toEqual(
          [...sent].toSorted((a, b) => a - b),
        );
        expect(isAscending(kept.stored)).toBe(true);
        expect(kept.repeats).toBe(pushes.flat().length - sent.size);
      }),
    );
  });

  verifies('ING-17', 'before something that has waited long enough are all given up together', () => {
    const waiting = [
      { position: 5, at: 0, chars: 1 },
      { position: 3, at: 80, chars: 1 },
      { position: 9, at: 90, chars: 1 },
    ];
    const order: Order = { next: 1, ...NOTHING_PASSED, waiting };
    const at = (now: number) => ({ now, windowMs: WINDOW });
    expect(planOrder(order, [], at(99))).toMatchObject({ go: [], due: 100 });
    const plan = planOrder(order, [{ position: 4 }], at(100));
    expect(plan.go.map(({ position }) => position)).toEqual([3, 4, 5]);
    expect(plan).toMatchObject({ missing: [1, 2], due: 190 });
  });

  verifies('ING-17', 'are not waited for at all when the window is 0', () => {
    const order: Order = { next: 1, ...NOTHING_PASSED, waiting: [] };
    expect(planOrder(order, [{ position: 4 }], { now: 7, windowMs: 0 })).toMatchObject({
      go: [{ position: 4 }],
      missing: [1, 3],
    });
  });

  verifies('ING-18', 'that come after they were given up are late once, and then repeats', () => {
    const { gaps } = cameLate({ floor: 0, gaps: [[2, 4]] }, 3);
    expect(gaps).toEqual([
      [2, 2],
      [4, 4],
    ]);
    const order: Order = { next: 9, floor: 0, gaps, waiting: [] };
    const came = [{ position: 3 }, { position: 4 }, { position: 4 }, { position: 8 }];
    const plan = planOrder(order, came, { now: 0, windowMs: WINDOW });
    expect(plan.late).toEqual([{ position: 4 }]);
    expect(plan.repeats.map(({ position }) => position)).toEqual([3, 4, 8]);
  });

  verifies('ING-18', 'that nobody can tell of any more are never taken for repeats', () => {
    const passed = Array.from({ length: MAX_GAPS + 2 }, (_, nth) => 2 * nth + 1).reduce<Passed>(
      (so, position) => passOver(so, [position, position]),
      NOTHING_PASSED,
    );
    expect(passed.gaps).toHaveLength(MAX_GAPS);
    expect(passed.floor).toBe(3);
    const order: Order = { next: 10_000, ...passed, waiting: [] };
    const came = [{ position: 2 }, { position: 3 }, { position: 4 }, { position: 5 }];
    const plan = planOrder(order, came, { now: 0, windowMs: WINDOW });
    expect(plan.late.map(({ position }) => position)).toEqual([2, 3, 5]);
  });
});
