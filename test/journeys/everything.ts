/** An answer in which there is something of everything, also what 0.0.59 has no words for. */
import type { RunAgentInput } from '@triptych/protocol';
import type { Plans } from './quick-agent.js';

const FILE = { type: 'document', source: { type: 'file', value: 'f-1', provider: 'x' } };
export const ids = ({ threadId, runId }: RunAgentInput) => ({ threadId, runId });

export const everything: Plans[string] = (input) => [
  { type: 'RUN_STARTED', ...ids(input), protocolVersion: '1.0' },
  { type: 'FUTURE_THING', more: 1 },
  { type: 'TEXT_MESSAGE_START', messageId: 'a', role: 'assistant', timestamp: 1_700_000_000_000 },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 'a', delta: 'so far 😀', metadata: { k: null, n: 1.5 } },
  { type: 'TEXT_MESSAGE_END', messageId: 'a' },
  { type: 'TOOL_CALL_START', toolCallId: 'k', toolCallName: 'look', parentMessageId: 'a' },
  { type: 'TOOL_CALL_ARGS', toolCallId: 'k', delta: '{"a":1}' },
  { type: 'TOOL_CALL_END', toolCallId: 'k' },
  {
    type: 'TOOL_CALL_RESULT',
    messageId: 'kr',
    toolCallId: 'k',
    content: [{ type: 'text', text: 'seen' }, FILE],
  },
  { type: 'REASONING_START', messageId: 'q' },
  { type: 'REASONING_MESSAGE_START', messageId: 'q', role: 'reasoning' },
  { type: 'REASONING_MESSAGE_CONTENT', messageId: 'q', delta: 'hm' },
  { type: 'REASONING_MESSAGE_END', messageId: 'q' },
  { type: 'REASONING_END', messageId: 'q' },
  { type: 'STATE_SNAPSHOT', snapshot: { n: null, list: [1, { x: 'y' }] } },
  { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/list/-', value: false }] },
  { type: 'ACTIVITY_SNAPSHOT', messageId: 'p', activityType: 'PLAN', content: { steps: [] } },
  { type: 'CUSTOM', name: 'x', value: [null, 'v'] },
  {
    type: 'MESSAGES_SNAPSHOT',
    messages: [
      { id: 'u', role: 'user', content: [{ type: 'text', text: 'hi' }, FILE] },
      { id: 'w', role: 'wizard', content: 'abracadabra' },
      { id: 'a', role: 'assistant', content: 'so far 😀' },
      { id: 'kr', role: 'tool', toolCallId: 'k', content: [{ type: 'text', text: 'seen' }] },
    ],
  },
  {
    type: 'RUN_FINISHED',
    ...ids(input),
    result: { ok: true },
    usage: [{ model: 'm', inputTokens: 3 }],
    outcome: { type: 'success', pendingToolCallIds: ['k'] },
  },
];
