import type { AguiEvent, Surface } from '@triptych/protocol';
import { verifies } from '../../../../../test/spec/verifies.js';
import {
  call,
  finished,
  POLICY,
  policyOf,
  restated,
  result,
  RUN,
  see,
  STARTED,
  text,
  toolCall,
} from '../../../../../test/streams/see-as.js';
import { placeholderId } from './questions.js';
import { correlationRef } from './run-error.js';
import { beginView, viewStep } from './view-step.js';

describe('the rest of a stream', () => {
  it('shows steps by label, and hides both ends of the others', () => {
    const step = (type: string, stepName: string): AguiEvent => ({ type, stepName });
    const events = ['id', 'inner'].flatMap((name) => [
      step('STEP_STARTED', name),
      step('STEP_FINISHED', name),
    ]);
    expect(see('customer', events).shown).toEqual([
      step('STEP_STARTED', 'Identity'),
      step('STEP_FINISHED', 'Identity'),
    ]);
    const clash = [
      step('STEP_STARTED', 'first'),
      step('STEP_STARTED', 'second'),
      step('STEP_FINISHED', 'first'),
      step('STEP_FINISHED', 'second'),
    ];
    expect(see('reviewer', clash).shown).toEqual([
      step('STEP_STARTED', 'second'),
      step('STEP_FINISHED', 'second'),
    ]);
  });

  it('shows activities and custom events by name, and no change of what it never showed', () => {
    const plan = (activityType: string, messageId = 'a'): AguiEvent => ({
      type: 'ACTIVITY_SNAPSHOT',
      messageId,
      activityType,
      content: {},
    });
    const delta = (messageId: string): AguiEvent => ({
      type: 'ACTIVITY_DELTA',
      messageId,
      activityType: 'PLAN',
      patch: [],
    });
    const custom = (name: string): AguiEvent => ({ type: 'CUSTOM', name, value: null });
    const events = [
      plan('PLAN'),
      delta('a'),
      plan('SECRET', 'b'),
      delta('b'),
      delta('c'),
      { ...plan('PLAN', 'b'), replace: false },
    ];
    expect(see('customer', events).shown).toEqual([plan('PLAN'), delta('a')]);
    expect(see('customer', [custom('CARD'), custom('vendor:x'), custom('card')]).shown).toEqual([
      custom('CARD'),
      custom('vendor:x'),
    ]);
  });

  it('hides subagents with all that is theirs, but not what they did to the state', () => {
    const by = { subagentRunId: 's' };
    const events: AguiEvent[] = [
      { type: 'SUBAGENT_STARTED', ...by, name: 'inner' },
      { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant', ...by },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'x' },
      { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/application', value: { status: 'open' } }], ...by },
      { type: 'TEXT_MESSAGE_END', messageId: 'm' },
      { type: 'CUSTOM', name: 'CARD', value: 1, ...by },
      { type: 'SUBAGENT_FINISHED', ...by, result: 1, outcome: { type: 'suspended', interruptIds: ['i'] } },
    ];
    expect(see('customer', events).shown).toEqual([
      { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/application', value: { status: 'open' } }] },
    ]);
    expect(see('reviewer', events).shown.map(({ type }) => type)).toEqual(
      events.map(({ type }) => type).filter((type) => type !== 'CUSTOM'),
    );
  });

  it('shows reasoning only where it is allowed, and its encrypted values never', () => {
    const events: AguiEvent[] = [
      { type: 'REASONING_START', messageId: 'q' },
      { type: 'REASONING_MESSAGE_START', messageId: 'q', role: 'reasoning' },
      { type: 'REASONING_MESSAGE_CONTENT', messageId: 'q', delta: 'hm' },
      { type: 'REASONING_MESSAGE_END', messageId: 'q' },
      { type: 'REASONING_END', messageId: 'q' },
    ];
    const sealed: AguiEvent = {
      type: 'REASONING_ENCRYPTED_VALUE',
      subtype: 'message',
      entityId: 'q',
      encryptedValue: 'x',
    };
    expect(see('customer', [...events, sealed]).shown).toEqual([]);
    expect(see('reviewer', [...events, sealed]).shown).toEqual(events);
    expect(see('operator', [...events, sealed]).shown).toEqual([...events, sealed]);
  });

  it('names no hidden beginning of a subagent that is shown, nor the questions it asked of others', () => {
    const policy = policyOf('surfaces: {customer: {subagents: true, tools: {open: {}}}}');
    const events: AguiEvent[] = [
      ...call('c1', 'crm_login', []),
      ...call('c2', 'open', []),
      ...text('m1', 'system'),
      {
        type: 'SUBAGENT_STARTED',
        subagentRunId: 's1',
        name: 'n',
        parentToolCallId: 'c1',
        parentMessageId: 'm1',
      },
      {
        type: 'SUBAGENT_STARTED',
        subagentRunId: 's2',
        name: 'n',
        parentToolCallId: 'c2',
        parentMessageId: 'm2',
      },
      { type: 'SUBAGENT_ERROR', subagentRunId: 's1', message: 'stack trace', code: 'E_DB' },
      { type: 'SUBAGENT_FINISHED', subagentRunId: 's2', outcome: { type: 'suspended', interruptIds: ['i'] } },
    ];
    expect(see('customer', events, policy).shown.slice(2)).toEqual([
      { type: 'SUBAGENT_STARTED', subagentRunId: 's1', name: 'n' },
      {
        type: 'SUBAGENT_STARTED',
        subagentRunId: 's2',
        name: 'n',
        parentToolCallId: 'c2',
        parentMessageId: 'm2',
      },
      {
        type: 'SUBAGENT_ERROR',
        subagentRunId: 's1',
        message: 'The agent reported an error.',
        code: 'hub/agent-error',
      },
      { type: 'SUBAGENT_FINISHED', subagentRunId: 's2', outcome: { type: 'suspended' } },
    ]);
  });

  it('hides what a hidden subagent thinks and answers, and what is later added to it', () => {
    const policy = policyOf('surfaces: {customer: {reasoning: true, tools: {open: {result: [""]}}}}');
    const by = { subagentRunId: 's' };
    const thought = (type: string, more: object = {}): AguiEvent => ({ type, messageId: 'q', ...more });
    const events: AguiEvent[] = [
      thought('REASONING_MESSAGE_START', { role: 'reasoning', ...by }),
      thought('REASONING_MESSAGE_CONTENT', { delta: 'x' }),
      thought('REASONING_MESSAGE_END'),
      thought('REASONING_MESSAGE_START', { role: 'reasoning' }),
      thought('REASONING_MESSAGE_END'),
      ...call('c1', 'open', []),
      { ...result('c1', 'secret'), ...by },
      ...text('r-c1', 'assistant'),
    ];
    expect(see('customer', events, policy).shown).toEqual(call('c1', 'open', []));
  });

  it('reduces the input of a run to what it added', () => {
    const user = {
      id: 'u',
      role: 'user',
      content: [{ type: 'text', text: 'hi', metadata: {} }, { type: 'hologram' }],
      metadata: {},
    };
    const input = {
      ...RUN,
      messages: [user, { id: 's', role: 'system', content: 'x' }],
      state: 1,
      forwardedProps: 1,
      tools: [{}],
      context: [{}],
    };
    expect(see('reviewer', [finished(), { ...STARTED, input }]).shown[1]).toEqual({
      ...STARTED,
      input: {
        ...RUN,
        messages: [{ id: 'u', role: 'user', content: [{ type: 'text', text: 'hi' }] }],
        tools: [],
        context: [],
      },
    });
  });
});

describe('the end of a run', () => {
  const interrupt = (id: string, reason: string, more: object = {}) => ({
    id,
    reason,
    metadata: { secret: 1 },
    ...more,
  });
  const paying = (amount: unknown) => call('c1', 'pay', [JSON.stringify({ amount })]);
  const asked = (interrupts: object[]) => finished({ type: 'interrupt', interrupts });
  const shownTo = (surface: Surface, events: AguiEvent[]) =>
    (see(surface, events).shown.at(-1)!['outcome'] as { interrupts: object[] }).interrupts;

  verifies('ACC-22', 'shows a customer their own questions, and one placeholder for all others', () => {
    const events = [
      ...paying(500),
      asked([
        interrupt('pay-1', 'tool_call', { toolCallId: 'c1', message: 'Pay 500?' }),
        interrupt('q', 'input_required', {
          message: 'Your name?',
          responseSchema: { type: 'object' },
          expiresAt: 'soon',
        }),
        interrupt('other', 'risk:x'),
      ]),
    ];
    const { hub } = {
      hub: {
        ref: correlationRef('r', 5),
        sentAt: 1004,
        text: 'An adviser checks this.',
        usualMs: 3600000,
        hours: 'Mo-Fr',
      },
    };
    expect(shownTo('customer', events)).toEqual([
      {
        id: 'q',
        reason: 'input_required',
        message: 'Your name?',
        responseSchema: { type: 'object' },
        expiresAt: 'soon',
      },
      {
        id: placeholderId('t', 'r'),
        reason: 'hub:under_review',
        message: 'An adviser checks this.',
        metadata: { hub },
      },
    ]);
    expect(placeholderId('t', 'r')).not.toBe(placeholderId('t', 'r2'));
  });

  verifies('ACC-22', 'asks a customer what the rule for these very arguments puts to customers', () => {
    const ids = (amount: unknown) =>
      shownTo('customer', [
        ...paying(amount),
        asked([interrupt('i', 'tool_call', { toolCallId: 'c1' })]),
      ]).map((it) => (it as { id: string }).id);
    expect(ids(99)).toEqual(['i']);
    expect(ids(100)).toEqual([placeholderId('t', 'r')]);
    expect(ids('99')).toEqual([placeholderId('t', 'r')]);
  });

  verifies('ACC-26', 'asks a customer nothing that no schema can judge', () => {
    const ids = (responseSchema: unknown) =>
      shownTo('customer', [asked([interrupt('i', 'input_required', { responseSchema })])]).map(
        (it) => (it as { id: string }).id,
      );
    expect(ids({ type: 'string', pattern: '^a{1,3}$' })).toEqual(['i']);
    expect(ids(true)).toEqual(['i']);
    for (const hostile of [
      { $ref: 'https://evil.test' },
      { pattern: '^(a+)+$' },
      { required: 'a' },
      [],
      null,
    ])
      expect(ids(hostile)).toEqual([placeholderId('t', 'r')]);
  });

  verifies('ACC-27', 'asks a customer nothing about arguments that cannot be read', () => {
    const ids = (...args: string[]) =>
      shownTo('customer', [
        ...call('c1', 'pay', args),
        asked([interrupt('i', 'input_required', { toolCallId: 'c1' })]),
      ]).map((it) => (it as { id: string }).id);
    expect(ids('{"amount":1}')).toEqual(['i']);
    expect(ids()).toEqual(['i']);
    expect(ids('{"amount":1}', '{"amount":2}')).toEqual([placeholderId('t', 'r')]);
  });

  verifies('ACC-12', 'cuts no arguments that are nested beyond all bounds', () => {
    const deep = `{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const argsOf = (surface: Surface) => see(surface, call('c', 'verify', [deep])).shown[1]?.['delta'];
    expect(argsOf('customer')).toBe('{}');
    expect(argsOf('reviewer')).toBe('"[redacted]"');
  });

  it('shows reviewers the questions of every rule, without metadata', () => {
    const events = [
      ...paying(500),
      asked([
        interrupt('a', 'tool_call', { toolCallId: 'c1', subagentRunId: 's' }),
        interrupt('b', 'input_required'),
      ]),
    ];
    expect(shownTo('reviewer', events)).toEqual([
      { id: 'a', reason: 'tool_call', toolCallId: 'c1', subagentRunId: 's' },
      { id: 'b', reason: 'input_required' },
    ]);
  });

  it('keeps result, usage and unknown outcomes from everyone but the operator', () => {
    const end = { ...finished({ type: 'future', secret: 1 }), result: 1, usage: [] };
    expect(see('customer', [end]).shown).toEqual([finished()]);
    expect(see('customer', [finished({ type: 'cancelled', x: 1 })]).shown).toEqual([
      finished({ type: 'cancelled' }),
    ]);
  });

  const failed = (code?: string): AguiEvent => ({
    type: 'RUN_ERROR',
    message: 'stack trace',
    ...(code ? { code } : {}),
    usage: [],
  });

  verifies(
    'ACC-23',
    'says that a run failed in words of the house, and that nothing was changed only when no tool was called',
    () => {
      const nothing = see('customer', [failed('E_DB')]).shown;
      expect(nothing).toEqual([
        {
          type: 'RUN_ERROR',
          code: 'hub/agent-error',
          message: `The agent reported an error. Nothing was changed. Reference ${correlationRef('r', 2)}.`,
        },
      ]);
      const messageAfter = (events: AguiEvent[]) => String(see('customer', events).shown.at(-1)?.['message']);
      expect(messageAfter([...call('a', 'crm_login', []), failed('E_DB')])).toBe(
        `The agent reported an error. Reference ${correlationRef('r', 4)}.`,
      );
      expect(messageAfter([result('old', 'x'), failed()])).not.toContain('Nothing');
      expect(
        messageAfter([{ type: 'SUBAGENT_STARTED', subagentRunId: 's', name: 'n' }, failed()]),
      ).not.toContain('Nothing');
      // What a snapshot reports was called as well, though no event of its own told of it.
      const carrier = { id: 'm', role: 'assistant', toolCalls: [toolCall('c', 'crm_login', '{}')] };
      const answer = { id: 'r', role: 'tool', toolCallId: 'c', content: 'ok' };
      const delegated = { id: 'd', role: 'assistant', content: 'done', subagentRunId: 's' };
      for (const brought of [carrier, answer, delegated])
        expect(messageAfter([restated(brought), failed()])).not.toContain('Nothing');
      const history = [restated(carrier, answer), finished(), STARTED, restated(carrier, answer)];
      expect(messageAfter([...history, failed()])).toContain('Nothing');
      const again = { ...carrier, toolCalls: [toolCall('c', 'crm_login', '{"again":1}')] };
      expect(messageAfter([...history, restated(again, answer), failed()])).not.toContain('Nothing');
      expect(messageAfter([restated({ id: 'm', role: 'assistant', content: 'Hello' }), failed()])).toContain(
        'Nothing',
      );
      // A resumed run may have carried out what was approved without saying so.
      expect(messageAfter([asked([interrupt('i', 'x')]), STARTED, failed()])).not.toContain('Nothing');
      expect(messageAfter([finished(), STARTED, failed()])).toContain('Nothing');
      expect(see('reviewer', [failed('E_DB')]).shown[0]).toMatchObject({
        code: 'E_DB',
        message: expect.not.stringContaining('stack'),
      });
      expect(see('customer', [failed('hub/forged')]).shown[0]).toMatchObject({ code: 'hub/agent-error' });
    },
  );

  verifies(
    'ACC-23',
    'has a code of the hub’s own where the hub said it, not where an agent borrows one',
    () => {
      const view = beginView(POLICY, 'reviewer', { agentId: 'bank', tenant: 'default' });
      for (const code of ['hub/timeout-idle', 'hub/closed-by-operator']) {
        const told = (source: 'agent' | 'hub') =>
          viewStep(view, { seq: 1, at: 0, source, event: failed(code) }).shown[0];
        expect(told('hub')?.['code']).toBe(code);
        expect(told('agent')).toMatchObject({
          code: 'hub/agent-error',
          message: expect.stringContaining('reported an error') as unknown,
        });
      }
    },
  );

  it('may come before any beginning', () => {
    const view = beginView(POLICY, 'customer', { agentId: 'bank', tenant: 'default' });
    expect(
      viewStep(view, { seq: 1, at: 0, source: 'hub', event: failed('hub/agent-unavailable') }).shown,
    ).toMatchObject([{ type: 'RUN_ERROR', code: 'hub/agent-unavailable' }]);
  });
});
