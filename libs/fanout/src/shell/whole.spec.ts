/** Proves that whatever happens in whatever order, every reader ends whole. */
import { SURFACES, type LogEntry, type Position, type Surface } from '@triptych/protocol';
import fc from 'fast-check';
import { verifies } from '../../../../test/spec/verifies.js';
import type { Projection } from '../core/ports.js';
import { HandReader } from '../../test/hand-reader.js';
import { caughtUp, settled, stand, THREAD } from '../../test/stand.js';
import { foldAll, note, projection, secret, split, text, type Lines } from '../../test/story.js';
import { WEIGHT } from '../../test/taking-reader.js';
import type { Joined, JoinFrom } from './joined.js';

const event = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(fc.constantFrom('a', 'b'), fc.string({ maxLength: 6 })).map(([id, d]) => text(id, d)),
  },
  { weight: 2, arbitrary: fc.nat(9).map(note) },
  { weight: 2, arbitrary: fc.nat(9).map(secret) },
  { weight: 1, arbitrary: fc.nat(9).map(split) },
  { weight: 1, arbitrary: fc.constant(note('x'.repeat(300))) },
);
const events = fc.array(event, { minLength: 1, maxLength: 8 });
const surface = fc.constantFrom(...SURFACES);
const which = fc.nat({ max: 20 });

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('append' as const), events }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('tell' as const), count: fc.integer({ min: 1, max: 5 }) }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('join' as const), surface }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('return' as const), which }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('leave' as const), which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('stall' as const), which }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('take' as const), which, bytes: fc.nat({ max: 2_000 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('hold' as const), which }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.nat({ max: 80 }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('settle' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('stream' as const), surface, which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('gate' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('idle' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lose' as const), events }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('policy' as const), strict: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('close-run' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const strict: Projection<Surface> = {
  begin: (surface) => surface,
  step: (seen, entry) =>
    seen === 'customer' && entry.event['name'] === 'note'
      ? { view: seen, shown: [], seen: 'hidden' }
      : projection.step(seen, entry),
};

interface Screen {
  readonly surface: Surface;
  readonly reader: HandReader;
  /** A stream that cannot start over; it has what came after this entry. */
  readonly afterSeq?: number;
  joined?: Joined;
}

/** A whole stream ends at a snapshot; a closed reader would come back. */
const isOver = ({ reader }: Screen): boolean =>
  reader.closed.length > 0 ||
  (reader.whole === true && reader.frames.some((frame) => frame.event === 'snapshot'));

/** What a screen that closed had: where it stood, and what was on it. */
interface Kept {
  readonly surface: Surface;
  readonly pos: Position | undefined;
  readonly lines: Lines;
}

class World {
  readonly on = stand({ feedBytes: 1_500 });
  private policy: Projection<Surface> = projection;
  private policies = 0;
  private screens: Screen[] = [];
  private kept: Kept[] = [];
  private release: (() => void) | undefined;

  async play(one: Step): Promise<void> {
    const { log, time } = this.on;
    switch (one.do) {
      case 'append':
        return log.append(THREAD, one.events);
      case 'tell':
        return log.tell(THREAD, one.count);
      case 'join':
        return this.open(one.surface, { surface: one.surface, pos: undefined, lines: [] });
      case 'return': {
        const back = this.kept[one.which % Math.max(1, this.kept.length)];
        return back === undefined ? undefined : this.open(back.surface, back);
      }
      case 'stream':
        return this.stream(one.surface, one.which % (log.entriesOf(THREAD).length + 1));
      case 'gate':
        return this.gate();
      case 'wait':
        return time.advance(one.ms);
      case 'settle':
        return settled();
      case 'idle':
        return time.advance(61_000);
      case 'lose':
        return log.lose(THREAD, one.events);
      case 'policy':
        this.policy = one.strict ? strict : projection;
        this.policies += 1;
        return this.on.rooms.usePolicy({
          projectionFor: () => this.policy,
          policyVersion: `p${this.policies}`,
        });
      case 'close-run':
        return log.append(
          THREAD,
          [{ type: 'RUN_ERROR', code: 'hub/closed-by-operator', message: '' }],
          'hub',
        );
      default:
        return this.touch(one.do, one);
    }
  }

  async end(): Promise<void> {
    this.release?.();
    await caughtUp(
      this.on,
      this.screens.map(({ reader }) => reader),
    );
  }

  check(): void {
    const entries = this.on.log.entriesOf(THREAD);
    const live = this.screens.filter((screen) => !isOver(screen));
    const positions = new Map(
      live.filter(({ reader }) => reader.whole !== true).map((screen) => [screen.surface, screen.reader.pos]),
    );
    for (const { surface: seen, reader, joined, afterSeq = 0 } of live) {
      expect(joined).toBeDefined();
      const want = this.whole(
        seen,
        entries.filter(({ seq }) => seq > afterSeq),
      );
      expect({ seen, lines: reader.lines, gaps: reader.gaps }).toEqual({ seen, lines: want, gaps: 0 });
      if (reader.whole !== true) expect(reader.pos).toBe(positions.get(seen));
    }
    expect(this.on.failures).toEqual([]);
    this.on.rooms.close();
  }

  /** Reads of the log take their time until the next gate. */
  private gate(): void {
    const release = this.release;
    this.release = release === undefined ? this.on.log.holdReads() : undefined;
    release?.();
  }

  private whole(seen: Surface, entries: readonly LogEntry[]): Lines {
    return foldAll(entries.flatMap((entry) => this.policy.step(seen, entry).shown));
  }

  private open(seen: Surface, { pos, lines }: Kept): void {
    const reader = new HandReader({ ...(pos !== undefined && { pos }), lines, weight: WEIGHT });
    this.seat({ surface: seen, reader }, pos);
  }

  private stream(seen: Surface, afterSeq: number): void {
    const reader = new HandReader({ whole: true, weight: WEIGHT });
    this.seat({ surface: seen, reader, afterSeq }, { afterSeq });
  }

  private seat(screen: Screen, from: JoinFrom | undefined): void {
    this.screens.push(screen);
    const request = { thread: THREAD, surface: screen.surface, reader: screen.reader, from };
    void this.on.rooms.join(request).then((joined) => {
      screen.joined = joined;
      joined.start();
    });
  }

  private touch(how: 'leave' | 'stall' | 'take' | 'hold', one: { which: number; bytes?: number }): void {
    const screen = this.screens[one.which % Math.max(1, this.screens.length)];
    if (screen?.joined === undefined) return;
    const { reader, joined, surface: seen } = screen;
    if (how === 'stall') reader.stalled = true;
    if (how === 'take') reader.take(one.bytes);
    if (how === 'hold') void Promise.resolve(joined.hold()).then((release) => release());
    if (how !== 'leave') return;
    joined.leave();
    this.screens = this.screens.filter((other) => other !== screen);
    if (reader.whole === true) return;
    this.kept.push({ surface: seen, pos: reader.pos, lines: reader.lines });
  }
}

describe('everybody ends whole', () => {
  verifies(
    'FAN-6',
    'whatever is written, joined, left, stalled, lost and changed in between',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 80, size: 'max' }), async (steps) => {
          const world = new World();
          for (const one of steps) await world.play(one);
          await world.end();
          world.check();
        }),
        { numRuns: 300 },
      );
    },
    60_000,
  );
});
