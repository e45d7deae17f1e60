import { verifies } from '../../../../test/spec/verifies.js';
import { parseRunAgentInput } from './parse-run-agent-input.js';

const input = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  threadId: 't',
  runId: 'r',
  messages: [],
  tools: [],
  context: [],
  ...more,
});
const pointerOf = (raw: unknown): unknown => {
  const parsed = parseRunAgentInput(raw);
  return parsed.ok ? 'accepted' : [parsed.refusal.code, parsed.refusal.details?.pointer];
};
const user = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  id: 'u',
  role: 'user',
  content: 'hi',
  ...more,
});

describe('a RunAgentInput', () => {
  verifies('PRO-25', 'comes out as it went in', () => {
    const raw = input({
      state: { deep: { n: null }, '': [] },
      forwardedProps: { any: [null, { thing: 1 }] },
      messages: [user({ extra: true })],
      tools: [{ name: 'f', description: '', parameters: { type: 'object', nullable: null } }],
      resume: [{ interruptId: 'a', status: 'cancelled', metadata: { hub: { rev: 1 } } }],
      protocolVersion: '1.9',
      invented: { x: 1 },
    });
    expect(parseRunAgentInput(structuredClone(raw))).toEqual({ ok: true, value: raw });
  });

  verifies('PRO-25', 'needs no tools and no context', () => {
    const parsed = parseRunAgentInput({ threadId: 't', runId: 'r', messages: [] });
    expect(parsed).toEqual({ ok: true, value: input() });
  });

  const refused: readonly (readonly [string, unknown, string])[] = [
    ['nothing', undefined, ''],
    ['a list', [], ''],
    ['no thread', input({ threadId: undefined }), '/threadId'],
    ['an empty thread', input({ threadId: '' }), '/threadId'],
    ['a thread of control characters', input({ threadId: 'a\nb' }), '/threadId'],
    ['a run id that is a number', input({ runId: 7 }), '/runId'],
    ['a run id that is too long', input({ runId: 'x'.repeat(257) }), '/runId'],
    ['no messages', input({ messages: undefined }), '/messages'],
    ['a message without id', input({ messages: [{ role: 'user', content: '' }] }), '/messages/0/id'],
    ['a message of an unknown role', input({ messages: [user({ role: 'wizard' })] }), '/messages/0/role'],
    ['content that is a number', input({ messages: [user({ content: 1 })] }), '/messages/0/content'],
    ['a null tag', input({ messages: [user({ subagentRunId: null })] }), '/messages/0/subagentRunId'],
    [
      'case 90: status rejected',
      input({ resume: [{ interruptId: 'a', status: 'rejected' }] }),
      '/resume/0/status',
    ],
    ['an entry without interrupt', input({ resume: [{ status: 'resolved' }] }), '/resume/0/interruptId'],
    ['a tool without name', input({ tools: [{ description: '' }] }), '/tools/0/name'],
    ['context that is no text', input({ context: [{ description: 'x', value: 1 }] }), '/context/0/value'],
  ];
  for (const [name, raw, pointer] of refused)
    verifies('PRO-25', `is refused with ${name}`, () =>
      expect(pointerOf(raw)).toEqual(['INVALID_INPUT', pointer]),
    );

  verifies('PRO-25', 'is refused when it is nested too deep', () => {
    const deep = JSON.parse('['.repeat(70) + ']'.repeat(70)) as unknown;
    expect(pointerOf(input({ state: deep }))).toEqual(['INVALID_INPUT', '']);
    expect(parseRunAgentInput(input({ state: [[]] }), 2)).toMatchObject({
      refusal: { code: 'INVALID_INPUT' },
    });
    expect(parseRunAgentInput(input({ state: [[]] }), 3).ok).toBe(true);
  });

  verifies('PRO-25', 'case 92: a payload of null arrives as none', () => {
    const parsed = parseRunAgentInput(
      input({ resume: [{ interruptId: 'a', status: 'resolved', payload: null }], forwardedProps: null }),
    );
    expect(parsed).toEqual({
      ok: true,
      value: input({ resume: [{ interruptId: 'a', status: 'resolved' }] }),
    });
  });
});
