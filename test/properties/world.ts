/** One thread in rooms of their own, over a log and a time that stand still: events come, readers come and go. */
import { beginView, viewStep, type Policy, type View } from '@triptych/access';
import type { Joined, JoinFrom, Projection } from '@triptych/fanout';
import {
  emptyModel,
  modelStep,
  prelude,
  type AguiEvent,
  type LogEntry,
  type Model,
  type Surface,
} from '@triptych/protocol';
import { caughtUp, settled, stand, THREAD } from '../../libs/fanout/test/stand.js';
import { StreamReader, type Kept } from './stream-reader.js';

export type Step =
  | { readonly do: 'append' | 'tell'; readonly count: number }
  | { readonly do: 'join'; readonly surface: Surface }
  | { readonly do: 'stream'; readonly surface: Surface; readonly which: number }
  | { readonly do: 'leave' | 'return' | 'stall' | 'policy'; readonly which: number }
  | { readonly do: 'take'; readonly which: number; readonly bytes: number }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'settle' | 'idle' | 'lose' };

/** A screen, or a stream that began after an entry and cannot start over. */
export interface Screen {
  readonly surface: Surface;
  readonly reader: StreamReader;
  readonly afterSeq?: number;
  joined?: Joined;
}

const FIRST: readonly never[] = [];
const NOTHING: Kept = { pos: undefined, events: FIRST };

const projectionOf = (policy: Policy): Projection<View> => ({
  begin: (surface) => beginView(policy, surface, { agentId: 'bank', tenant: 'default' }),
  step: viewStep,
});

const fold = { empty: emptyModel, step: modelStep, prelude } as never;

export class World {
  readonly on: ReturnType<typeof stand>;
  screens: Screen[] = [];
  policy: Policy;
  private kept: (Kept & { readonly surface: Surface })[] = [];
  private left: readonly AguiEvent[];
  private lives = 0;

  constructor(
    private readonly story: {
      /** The log, and those that take its place when it is lost. */
      readonly logs: readonly (readonly AguiEvent[])[];
      readonly policies: readonly Policy[];
    },
  ) {
    const [policy] = story.policies;
    if (!policy) throw new Error('There is always a policy.');
    this.policy = policy;
    this.left = story.logs[0] ?? [];
    this.on = stand({
      projectionFor: () => projectionOf(policy) as Projection,
      fold,
      policyVersion: policy.version,
      feedBytes: 1_500,
    });
  }

  async play(step: Step): Promise<void> {
    const { log, time } = this.on;
    switch (step.do) {
      case 'append':
        return this.append(step.count);
      case 'tell':
        return log.tell(THREAD, step.count);
      case 'join':
        return this.open(step.surface, NOTHING);
      case 'stream':
        return this.stream(step.surface, step.which % (log.entriesOf(THREAD).length + 1));
      case 'wait':
        return time.advance(step.ms);
      case 'settle':
        return settled();
      case 'idle':
        return time.advance(61_000);
      case 'lose':
        return this.lose();
      case 'policy':
        return this.usePolicy(step.which);
      default:
        return this.touch(step);
    }
  }

  /** Everything has happened, everybody has taken everything. */
  async end(): Promise<void> {
    this.append(Number.POSITIVE_INFINITY);
    await caughtUp(
      this.on,
      this.screens.map(({ reader }) => reader),
    );
  }

  entries(): readonly LogEntry[] {
    return this.on.log.entriesOf(THREAD);
  }

  /** What the surface is shown of each entry under the policy of now. */
  shown(surface: Surface): readonly (readonly AguiEvent[])[] {
    const projection = projectionOf(this.policy);
    let view = projection.begin(surface);
    return this.entries().map((entry) => {
      const step = projection.step(view, entry);
      view = step.view;
      return step.shown;
    });
  }

  modelOf(surface: Surface): Model {
    return this.shown(surface).flat().reduce<Model>(modelStep, emptyModel());
  }

  private append(count: number): void {
    if (this.left.length === 0) return;
    this.on.log.append(THREAD, this.left.slice(0, count));
    this.left = this.left.slice(count);
  }

  private lose(): void {
    this.lives += 1;
    const next = this.story.logs[this.lives];
    if (!next || this.entries().length === 0) return;
    this.left = next;
    this.on.log.lose(THREAD, this.left.slice(0, 2));
    this.left = this.left.slice(2);
  }

  private usePolicy(which: number): void {
    const policy = this.story.policies[which % this.story.policies.length] ?? this.policy;
    this.policy = policy;
    const projectionFor = () => projectionOf(policy) as Projection;
    return this.on.rooms.usePolicy({ projectionFor, policyVersion: policy.version });
  }

  private open(surface: Surface, had: Kept): void {
    this.seat({ surface, reader: new StreamReader(had) }, had.pos);
  }

  private stream(surface: Surface, afterSeq: number): void {
    this.seat({ surface, reader: new StreamReader(NOTHING, true), afterSeq }, { afterSeq });
  }

  private seat(screen: Screen, from: JoinFrom | undefined): void {
    this.screens.push(screen);
    const request = { thread: THREAD, surface: screen.surface, reader: screen.reader, from };
    void this.on.rooms.join(request).then((joined) => {
      screen.joined = joined;
      joined.start();
    });
  }

  private touch(step: Extract<Step, { readonly which: number }>): void {
    if (step.do === 'return') {
      const back = this.kept[step.which % Math.max(1, this.kept.length)];
      return back && this.open(back.surface, back);
    }
    const screen = this.screens[step.which % Math.max(1, this.screens.length)];
    if (screen?.joined === undefined) return;
    if (step.do === 'stall') screen.reader.stalled = true;
    if (step.do === 'take') screen.reader.take(step.bytes);
    if (step.do === 'leave') this.leave(screen);
  }

  private leave(screen: Screen): void {
    screen.joined?.leave();
    this.screens = this.screens.filter((other) => other !== screen);
    const { pos, events, whole } = screen.reader;
    if (!whole) this.kept.push({ surface: screen.surface, pos, events });
  }
}
