import type { Message, ToolMessage } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import { composeInput } from './compose-input.js';

const answer = (id: string, toolCallId: string): ToolMessage => ({
  id,
  role: 'tool',
  toolCallId,
  content: id,
});
const user: Message = { id: 'u', role: 'user', content: 'hi' };
const composed = (history: readonly Message[], added: readonly Message[]) =>
  composeInput({
    threadId: 't',
    runId: 'r',
    history: { messages: history, state: {} },
    intake: { messages: added, statePatch: [], tools: [], context: [], dropped: [] },
    state: {},
  }).messages.map(({ id }) => id);

describe('what an agent is sent of the conversation', () => {
  verifies('RUN-50', 'holds one answer to a call, the newer, in the place of what the run adds', () => {
    const history = [user, answer('old', 'c1'), answer('other', 'c2')];
    expect(composed(history, [answer('new', 'c1')])).toEqual(['u', 'other', 'new']);
    expect(composed(history, [answer('old', 'c1')])).toEqual(['u', 'old', 'other']);
    expect(composed(history, [{ ...user, id: 'u2' }])).toEqual(['u', 'old', 'other', 'u2']);
  });
});
