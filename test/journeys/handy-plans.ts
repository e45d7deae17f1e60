/** What an agent says that works with its client's own tools: it calls them, waits, and reads the answers back. */
import type { AguiEvent, Message, RunAgentInput, Tool } from '@triptych/protocol';
import { ids } from './everything.js';
import type { Plans } from './quick-agent.js';

export const tool = (name: string): Tool => ({ name, description: name, parameters: { type: 'object' } });

export const answer = (toolCallId: string, content: string, more: object = {}): Message =>
  ({ id: `answer-${toolCallId}`, role: 'tool', toolCallId, content, ...more }) as Message;

export const call = (toolCallId: string, toolCallName: string, args: object): readonly AguiEvent[] => [
  { type: 'TOOL_CALL_START', toolCallId, toolCallName },
  { type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify(args) },
  { type: 'TOOL_CALL_END', toolCallId },
];

/** Calls are told apart by the thread, as a model's would be. */
export const callId = (threadId: string, nth: number): string => `${threadId}-c${nth}`;

const answersIn = ({ messages, threadId }: RunAgentInput) =>
  messages.filter((message) => message.role === 'tool' && message.toolCallId.startsWith(threadId));

/** Every input it was sent, oldest first. */
export interface Sent {
  readonly inputs: RunAgentInput[];
}

/** Words of the customer that make it call these tools, and what it reads back once they are answered. */
export const handyPlans = (
  { inputs }: Sent,
  calls: Readonly<Record<string, readonly (readonly [name: string, args: object])[]>>,
): Plans =>
  Object.fromEntries(
    Object.entries(calls).map(([words, asked]) => [
      words,
      (input: RunAgentInput) => {
        inputs.push(input);
        const started = { type: 'RUN_STARTED', ...ids(input) };
        const finished = (outcome: object) => ({ type: 'RUN_FINISHED', ...ids(input), outcome });
        const answers = answersIn(input);
        if (answers.length === 0) {
          const pendingToolCallIds = asked.map((_, nth) => callId(input.threadId, nth));
          const made = asked.flatMap(([name, args], nth) => call(callId(input.threadId, nth), name, args));
          return [started, ...made, finished({ type: 'success', pendingToolCallIds })];
        }
        const messageId = `${input.runId}-a`;
        const read = answers.map(({ content }) => content as string).join(' ');
        return [
          started,
          { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
          { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: `You said ${read}.` },
          { type: 'TEXT_MESSAGE_END', messageId },
          finished({ type: 'success' }),
        ];
      },
    ]),
  );
