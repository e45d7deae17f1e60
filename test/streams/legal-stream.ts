/** Writes random but legal AG-UI streams that carry canaries wherever a customer may see nothing. */
import type { AguiEvent } from '@triptych/protocol';

/** In no byte a customer gets. */
export const CANARY = 'C4NARY';
/** In no byte a reviewer gets either: the values a policy redacts. */
export const REDACTED_CANARY = 'R3DACT';

const PATHS = ['/shown', '/shown/x', '/list', '/list/0', '/list/-', '/list/0/name', '/hidden', '/mixed', ''];
/** Moves that make nothing visible that was not. */
const MOVES = [
  { from: '/list/0', path: '/list/-' },
  { from: '/list/1', path: '/list/0' },
  { from: '/hidden', path: '/elsewhere' },
  { from: '/mixed', path: '/hidden' },
  { from: '/shown/x', path: '/shown/moved' },
  { from: '/hidden', path: '/hidden/inside' },
];

/** Builds a legal stream out of drawn numbers, with canaries wherever a customer may see nothing. */
export class StreamAuthor {
  readonly events: AguiEvent[] = [];
  private next = 0;
  private serial = 0;
  private run = 0;
  private messages: { id: string; owner?: string; open: boolean; role: string }[] = [];
  private calls: { id: string; tool: string; owner?: string; open: boolean; text: string }[] = [];
  private steps: { name: string; owner?: string }[] = [];
  private spans: { id: string; owner?: string; kind: 'span' | 'message'; open: boolean }[] = [];
  private agents: { id: string; open: boolean }[] = [];
  private activities: { id: string; type: string; owner?: string }[] = [];

  constructor(private readonly draws: readonly number[]) {}

  private draw(limit: number): number {
    const drawn = this.draws[this.next % this.draws.length] ?? 0;
    this.next += 1;
    // Mixed with the place, so that few numbers still make a varied stream.
    return ((drawn ^ Math.imul(this.next, 0x9e3779b1)) >>> 5) % limit;
  }
  private one<T>(items: readonly T[]): T | undefined {
    return items[this.draw(Math.max(1, items.length))];
  }
  private id(kind: string): string {
    this.serial += 1;
    return `${kind}-${this.serial}`;
  }
  private owner(): { subagentRunId?: string } {
    const running = this.agents.filter(({ open }) => open);
    const agent = this.draw(3) === 0 ? this.one(running) : undefined;
    return agent ? { subagentRunId: agent.id } : {};
  }
  /** A continuation may leave its owner's tag away. */
  private tag(owner: string | undefined): { subagentRunId?: string } {
    return owner !== undefined && this.draw(2) === 0 ? { subagentRunId: owner } : {};
  }
  private add(event: AguiEvent): void {
    const extras = [{}, { metadata: { hub: CANARY } }, { rawEvent: { prompt: CANARY } }, { surplus: CANARY }];
    this.events.push({ ...event, ...this.one(extras) });
  }

  private readonly acts: readonly (() => void)[] = [
    () => {
      const role = this.one(['assistant', 'user', 'developer', 'system', undefined]);
      const again = this.draw(4) === 0 ? this.one(this.messages.filter(({ open }) => !open)) : undefined;
      const owner = again ? { subagentRunId: again.owner } : this.owner();
      const secret = owner.subagentRunId !== undefined || role === 'developer' || role === 'system';
      const id = again?.id ?? `${this.id('m')}${secret ? CANARY : ''}`;
      if (again) again.open = true;
      else this.messages.push({ id, owner: owner.subagentRunId, open: true, role: role ?? 'assistant' });
      this.add({
        type: 'TEXT_MESSAGE_START',
        messageId: id,
        ...(role ? { role, name: `model${CANARY}` } : {}),
        ...(owner.subagentRunId ? owner : {}),
      });
    },
    () => {
      const message = this.one(this.messages.filter(({ open }) => open));
      if (!message) return;
      const said = message.id.includes(CANARY) ? CANARY : 'hello';
      this.add({
        type: 'TEXT_MESSAGE_CONTENT',
        messageId: message.id,
        delta: said,
        ...this.tag(message.owner),
      });
    },
    () => {
      const message = this.one(this.messages.filter(({ open }) => open));
      if (!message) return;
      message.open = false;
      this.add({ type: 'TEXT_MESSAGE_END', messageId: message.id, ...this.tag(message.owner) });
    },
    () => {
      const tool = this.one(['look', 'pay', `steal${CANARY}`]) ?? 'look';
      const parent = this.draw(2) === 0 ? this.one(this.messages) : undefined;
      const owner = parent
        ? parent.owner === undefined
          ? {}
          : { subagentRunId: parent.owner }
        : this.owner();
      const secret =
        tool.includes(CANARY) || owner.subagentRunId !== undefined || parent?.id.includes(CANARY);
      const id = `${this.id('c')}${secret ? CANARY : ''}`;
      this.calls.push({ id, tool, owner: owner.subagentRunId, open: true, text: '' });
      this.add({
        type: 'TOOL_CALL_START',
        toolCallId: id,
        toolCallName: tool,
        ...owner,
        ...(parent ? { parentMessageId: parent.id } : {}),
      });
    },
    () => {
      const call = this.one(this.calls.filter(({ open }) => open));
      if (!call) return;
      const args = JSON.stringify({ a: { seen: 1, secret: REDACTED_CANARY }, b: CANARY });
      const cut = this.draw(args.length);
      for (const delta of this.draw(4) === 0 ? [CANARY] : [args.slice(0, cut), args.slice(cut)]) {
        call.text += delta;
        this.add({ type: 'TOOL_CALL_ARGS', toolCallId: call.id, delta, ...this.tag(call.owner) });
      }
    },
    () => {
      const call = this.one(this.calls.filter(({ open }) => open));
      if (!call) return;
      call.open = false;
      this.add({ type: 'TOOL_CALL_END', toolCallId: call.id, ...this.tag(call.owner) });
    },
    () => {
      const call = this.one([...this.calls, { id: `ghost${CANARY}`, owner: undefined }]);
      if (!call) return;
      const content = this.one([
        JSON.stringify({ status: 'ok', more: CANARY }),
        CANARY,
        `{"status":12345678901234567890,"m":"${CANARY}"}`,
      ]);
      this.add({ type: 'TOOL_CALL_RESULT', messageId: this.id('r'), toolCallId: call.id, content });
    },
    () => {
      const name = this.one(['one', 'two', `three${CANARY}`]) ?? 'one';
      const { subagentRunId: owner } = this.owner();
      if (this.steps.some((step) => step.name === name && step.owner === owner)) return;
      this.steps.push({ name, owner });
      this.add({ type: 'STEP_STARTED', stepName: name, ...(owner ? { subagentRunId: owner } : {}) });
    },
    () => {
      const step = this.one(this.steps);
      if (!step) return;
      this.steps = this.steps.filter((other) => other !== step);
      this.add({
        type: 'STEP_FINISHED',
        stepName: step.name,
        ...(step.owner ? { subagentRunId: step.owner } : {}),
      });
    },
    () => {
      const kind = this.draw(2) === 0 ? ('span' as const) : ('message' as const);
      const { subagentRunId: owner } = this.owner();
      const id = `${this.id('q')}${CANARY}`;
      this.spans.push({ id, owner, kind, open: true });
      this.add({
        type: kind === 'span' ? 'REASONING_START' : 'REASONING_MESSAGE_START',
        messageId: id,
        ...(kind === 'message' ? { role: 'reasoning' } : {}),
        ...(owner ? { subagentRunId: owner } : {}),
      });
    },
    () => {
      const span = this.one(this.spans.filter(({ open }) => open));
      if (!span) return;
      if (span.kind === 'message' && this.draw(2) === 0) {
        this.add({ type: 'REASONING_MESSAGE_CONTENT', messageId: span.id, delta: CANARY });
        return;
      }
      span.open = false;
      this.add({
        type: span.kind === 'span' ? 'REASONING_END' : 'REASONING_MESSAGE_END',
        messageId: span.id,
      });
    },
    () => {
      const parent = this.draw(2) === 0 ? this.one(this.agents) : undefined;
      const id = `${this.id('s')}${CANARY}`;
      this.agents.push({ id, open: true });
      this.add({
        type: 'SUBAGENT_STARTED',
        subagentRunId: id,
        name: `helper${CANARY}`,
        description: CANARY,
        ...(parent ? { parentSubagentRunId: parent.id } : {}),
        ...(this.calls[0] ? { parentToolCallId: this.calls[0].id } : {}),
      });
    },
    () => {
      const agent = this.one(this.agents.filter(({ open }) => open));
      if (!agent) return;
      agent.open = false;
      this.add(
        this.draw(3) === 0
          ? { type: 'SUBAGENT_ERROR', subagentRunId: agent.id, message: CANARY, code: CANARY }
          : {
              type: 'SUBAGENT_FINISHED',
              subagentRunId: agent.id,
              result: CANARY,
              outcome: { type: 'success' },
            },
      );
    },
    () => this.add({ type: 'STATE_SNAPSHOT', snapshot: this.stateValue(), ...this.owner() }),
    () => {
      const path = this.one(PATHS) ?? '';
      const op = this.one(['add', 'replace', 'remove'] as const) ?? 'add';
      const move = { op: this.one(['move', 'copy']), ...this.one(MOVES) };
      const step =
        this.draw(3) === 0 ? move : { op, path, ...(op === 'remove' ? {} : { value: this.valueAt(path) }) };
      this.add({ type: 'STATE_DELTA', delta: [step], ...this.owner() });
    },
    () => this.add({ type: 'MESSAGES_SNAPSHOT', messages: this.restated() }),
    () => {
      const type = this.one(['PLAN', `SECRET${CANARY}`]) ?? 'PLAN';
      const { subagentRunId: owner } = this.owner();
      const id = `${this.id('a')}${type === 'PLAN' && owner === undefined ? '' : CANARY}`;
      this.activities.push({ id, type, owner });
      const content = type === 'PLAN' && owner === undefined ? { steps: [] } : { secret: CANARY };
      this.add({
        type: 'ACTIVITY_SNAPSHOT',
        messageId: id,
        activityType: type,
        content,
        ...(owner ? { subagentRunId: owner } : {}),
      });
    },
    () => {
      const activity = this.one(this.activities);
      if (!activity) return;
      const value = activity.id.includes(CANARY) ? CANARY : 'x';
      this.add({
        type: 'ACTIVITY_DELTA',
        messageId: activity.id,
        activityType: 'PLAN',
        patch: [{ op: 'add', path: '/more', value }],
      });
    },
    () => {
      const name = this.one(['GENERATIVE_UI', `internal${CANARY}`]) ?? '';
      this.add({ type: 'CUSTOM', name, value: name.includes(CANARY) ? CANARY : { id: 'card' } });
    },
    () => this.add({ type: 'RAW', event: { secret: CANARY } }),
    () => this.add({ type: 'toString', secret: CANARY }),
    () =>
      this.add({
        type: 'REASONING_ENCRYPTED_VALUE',
        subtype: 'message',
        entityId: 'none',
        encryptedValue: CANARY,
      }),
  ];

  private stateValue(): unknown {
    return this.one([
      {
        shown: { x: 1, secret: REDACTED_CANARY },
        list: [{ name: 'n', b: CANARY }, { b: CANARY }],
        hidden: CANARY,
        mixed: { part: 1, rest: CANARY },
      },
      null,
      CANARY,
      [{ name: CANARY }],
      {},
    ]);
  }
  private valueAt(path: string): unknown {
    if (path === '') return this.stateValue();
    if (path.startsWith('/list/0/')) return 'name';
    if (path.startsWith('/list'))
      return path === '/list' ? [{ name: 'x', k: CANARY }] : { name: 'y', k: CANARY };
    if (path === '/shown') return { secret: REDACTED_CANARY, y: 2 };
    return path === '/shown/x' ? 3 : { part: 'p', q: CANARY };
  }

  private restated(): unknown[] {
    const thought = { id: `think${CANARY}`, role: 'reasoning', content: CANARY };
    const spoken = this.messages.map(({ id, role, owner }) => ({
      ...{ id, role, name: `model${CANARY}` },
      content: id.includes(CANARY) ? CANARY : 'hello',
      ...(owner === undefined ? {} : { subagentRunId: owner }),
      metadata: { secret: CANARY },
    }));
    const carriers = this.calls.map(({ id, tool, owner, text }) => ({
      id: `of-${id}`,
      role: 'assistant',
      ...(owner === undefined ? {} : { subagentRunId: owner }),
      toolCalls: [
        {
          id,
          type: 'function',
          function: { name: tool, arguments: text },
          encryptedValue: CANARY,
          metadata: { m: CANARY },
        },
      ],
    }));
    const results = this.calls.map(({ id }) => ({
      id: `res-${id}`,
      role: 'tool',
      toolCallId: id,
      content: JSON.stringify({ status: 'ok', s: CANARY }),
      error: CANARY,
      encryptedValue: CANARY,
    }));
    return [...spoken, thought, ...carriers, ...results];
  }

  private closeAll(): void {
    for (const m of this.messages.filter(({ open }) => open)) {
      m.open = false;
      this.add({ type: 'TEXT_MESSAGE_END', messageId: m.id });
    }
    for (const c of this.calls.filter(({ open }) => open)) {
      c.open = false;
      this.add({ type: 'TOOL_CALL_END', toolCallId: c.id });
    }
    for (const s of this.steps)
      this.add({ type: 'STEP_FINISHED', stepName: s.name, ...(s.owner ? { subagentRunId: s.owner } : {}) });
    for (const q of this.spans.filter(({ open }) => open))
      this.add({ type: q.kind === 'span' ? 'REASONING_END' : 'REASONING_MESSAGE_END', messageId: q.id });
    for (const a of this.agents.filter(({ open }) => open))
      this.add({
        type: 'SUBAGENT_FINISHED',
        subagentRunId: a.id,
        outcome: { type: 'suspended', interruptIds: [`i${CANARY}`] },
      });
  }

  private outcome(): unknown {
    const hidden = {
      id: `i1${CANARY}`,
      reason: 'tool_call',
      message: CANARY,
      metadata: { m: CANARY },
      toolCallId: this.calls.at(-1)?.id ?? 'x',
    };
    const asked = {
      ...hidden,
      id: 'q1',
      reason: 'input_required',
      message: 'Your name?',
      toolCallId: `no${CANARY}`,
    };
    return this.one([
      undefined,
      { type: 'success', pendingToolCallIds: this.calls.map(({ id }) => id) },
      { type: 'cancelled' },
      { type: 'interrupt', interrupts: [hidden, { ...hidden, id: `i2${CANARY}` }] },
      { type: 'interrupt', interrupts: [asked, hidden] },
      { type: 'interrupt', interrupts: [asked] },
    ]);
  }

  write(runs: number, length: number): AguiEvent[] {
    for (this.run = 1; this.run <= runs; this.run += 1) this.writeRun(length);
    return this.events;
  }

  private writeRun(length: number): void {
    const ids = { threadId: 't', runId: `r${this.run}` };
    const input = {
      ...ids,
      state: { s: CANARY },
      forwardedProps: { f: CANARY },
      tools: [{ name: CANARY, description: CANARY }],
      context: [{ description: 'd', value: CANARY }],
      messages: [
        { id: this.id('u'), role: 'user', name: CANARY, content: 'please', metadata: { m: CANARY } },
        { id: this.id('sys'), role: 'system', content: CANARY },
      ],
    };
    this.add({ type: 'RUN_STARTED', ...ids, protocolVersion: '1.0', input });
    for (let act = 0; act < length; act += 1) this.acts[this.draw(this.acts.length)]?.();
    if (this.draw(3) === 0)
      this.add({ type: 'RUN_ERROR', message: CANARY, code: CANARY, usage: [{ model: CANARY }] });
    else {
      this.closeAll();
      const outcome = this.outcome();
      this.add({
        type: 'RUN_FINISHED',
        ...ids,
        result: CANARY,
        usage: [{ model: CANARY }],
        ...(outcome ? { outcome } : {}),
      });
    }
    for (const item of [...this.messages, ...this.calls]) item.open = false;
    [this.spans, this.steps, this.agents] = [[], [], []];
  }
}
