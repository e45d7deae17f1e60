/** What a producer says: legal runs whose every event carries a mark of its own, and secrets where a surface may see none. */
import type { AguiEvent } from '@triptych/protocol';
import type { Chance } from './chance.js';

/** In no byte a customer gets. */
export const CUSTOMER_SECRET = 'C4NARY';
/** In no byte a reviewer gets either. */
export const REVIEWER_SECRET = 'R3DACT';
/** In no log: it was only ever sent by a producer that is fenced. */
export const REFUSED_MARK = 'Z0MBIE';

/** What each surface may see of a story. */
export const STORY_POLICY = `
surfaces:
  customer:
    state: [/shown]
    redact: [/shown/secret]
    tools: { look: { label: Looking, args: [/a], result: [/status], redact: [/a/secret] } }
    steps: { one: One }
    custom: [GENERATIVE_UI]
    activities: [PLAN]
  reviewer:
    state: [""]
    redact: [/shown/secret]
    tools: { '*': { args: [''], result: [''], redact: [/a/secret] } }
    steps: { '*': '*' }
    custom: ['*']
    activities: ['*']
    reasoning: true
`;

/** Above what is announced with its events, so that readers must fetch it. */
const LONG_DELTA = 40_000;

export interface StoryShape {
  /** About how many events. */
  readonly length: number;
  /** How likely one delta is longer than an announcement carries. */
  readonly long: number;
}

export interface Run {
  readonly threadId: string;
  readonly runId: string;
}

/** The mark of the nth event of a run. */
export const markOf = (event: AguiEvent): string | undefined => {
  const { mark } = (event.metadata ?? {}) as { mark?: unknown };
  return typeof mark === 'string' ? mark : undefined;
};

/** One run from its beginning to its end. */
export const storyOf = (run: Run, shape: StoryShape, chance: Chance): readonly AguiEvent[] => {
  const author = new StoryAuthor(run, shape, chance);
  return author.write();
};

class StoryAuthor {
  private readonly events: AguiEvent[] = [];
  private parts = 0;

  constructor(
    private readonly run: Run,
    private readonly shape: StoryShape,
    private readonly chance: Chance,
  ) {}

  write(): readonly AguiEvent[] {
    this.add({ type: 'RUN_STARTED', ...this.run });
    this.add({ type: 'STATE_SNAPSHOT', snapshot: this.state() });
    while (this.events.length < this.shape.length) this.chance.one(this.acts)();
    this.add({ type: 'RUN_FINISHED', ...this.run });
    return this.events;
  }

  private readonly acts: readonly (() => void)[] = [
    () => this.speak('TEXT_MESSAGE', { role: 'assistant' }),
    () => this.speak('TEXT_MESSAGE', { role: 'assistant' }),
    () => this.speak('REASONING_MESSAGE', { role: 'reasoning' }),
    () => this.callTool('look'),
    () => this.callTool(`steal${CUSTOMER_SECRET}`),
    () => this.step('one'),
    () => this.step(`two${CUSTOMER_SECRET}`),
    () => this.writeState('/shown/n', this.events.length),
    () => this.writeState('/shown/secret', REVIEWER_SECRET),
    () => this.writeState('/hidden', `${CUSTOMER_SECRET}${this.events.length}`),
    () =>
      this.add({
        type: 'CUSTOM',
        name: 'GENERATIVE_UI',
        value: { id: this.id('card'), n: this.events.length },
      }),
    () => this.add({ type: 'CUSTOM', name: `internal${CUSTOMER_SECRET}`, value: CUSTOMER_SECRET }),
    () => this.plan(),
  ];

  private add(event: AguiEvent): void {
    this.events.push({
      ...event,
      metadata: { mark: `${this.run.runId}#${this.events.length}`, CUSTOMER_SECRET },
    });
  }

  private id(kind: string): string {
    this.parts += 1;
    return `${this.run.runId}.${kind}${this.parts}`;
  }

  private state(): unknown {
    return {
      shown: { run: this.run.runId, secret: REVIEWER_SECRET },
      hidden: CUSTOMER_SECRET,
    };
  }

  /** Deltas count from 1, so that a text shows what it lacks or has twice. */
  private speak(kind: 'TEXT_MESSAGE' | 'REASONING_MESSAGE', { role }: { role: string }): void {
    const hidden = kind === 'REASONING_MESSAGE' ? CUSTOMER_SECRET : '';
    const messageId = this.id(`m${hidden}`);
    this.add({ type: `${kind}_START`, messageId, role });
    for (let n = 1, until = this.chance.between(1, 12); n <= until; n += 1) {
      const filler = this.chance.happens(this.shape.long) ? '.'.repeat(LONG_DELTA) : '';
      this.add({ type: `${kind}_CONTENT`, messageId, delta: `${hidden}${n}${filler};` });
    }
    this.add({ type: `${kind}_END`, messageId });
  }

  private callTool(toolCallName: string): void {
    const toolCallId = this.id(toolCallName === 'look' ? 'k' : `k${CUSTOMER_SECRET}`);
    const args = JSON.stringify({ a: { seen: this.parts, secret: REVIEWER_SECRET }, b: CUSTOMER_SECRET });
    const cut = this.chance.between(1, args.length - 1);
    this.add({ type: 'TOOL_CALL_START', toolCallId, toolCallName });
    for (const delta of [args.slice(0, cut), args.slice(cut)])
      this.add({ type: 'TOOL_CALL_ARGS', toolCallId, delta });
    this.add({ type: 'TOOL_CALL_END', toolCallId });
    const content = JSON.stringify({ status: 'ok', n: this.parts, more: CUSTOMER_SECRET });
    this.add({ type: 'TOOL_CALL_RESULT', messageId: this.id('r'), toolCallId, content });
  }

  private step(stepName: string): void {
    this.add({ type: 'STEP_STARTED', stepName });
    this.add({ type: 'STEP_FINISHED', stepName });
  }

  private writeState(path: string, value: unknown): void {
    this.add({ type: 'STATE_DELTA', delta: [{ op: 'add', path, value }] });
  }

  private plan(): void {
    const messageId = this.id('plan');
    const about = { messageId, activityType: 'PLAN' };
    this.add({ type: 'ACTIVITY_SNAPSHOT', ...about, content: { steps: [] } });
    this.add({
      type: 'ACTIVITY_DELTA',
      ...about,
      patch: [{ op: 'add', path: '/steps/-', value: this.parts }],
    });
  }
}
