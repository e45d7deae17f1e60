/** Reads what a resume, or the tool messages a run brings, say about the calls that the agent had asked about. */
import type { Message, ResumeEntry, RunAgentInput, ToolCall } from '@triptych/protocol';
import { askedCall } from './run-ids.js';

interface Asked {
  readonly call: ToolCall;
  /** The arguments as they were asked about. */
  readonly proposed: unknown;
}
export type Answer = Asked &
  (
    | { readonly is: 'approved'; readonly args: unknown; readonly edited: boolean }
    | { readonly is: 'rejected'; readonly reason?: string }
    | { readonly is: 'cancelled' }
  );

/** AGT-30: calls of the client's own tools are answered by the messages the run begins with; their content is the payload. */
export const toldByMessages = (messages: readonly Message[]): readonly ResumeEntry[] => {
  const last = messages.findLastIndex(({ role }) => role !== 'tool');
  return messages.slice(last + 1).flatMap((message): ResumeEntry[] => {
    if (message.role !== 'tool') return [];
    const { toolCallId: interruptId, content, error } = message;
    return error === undefined && typeof content === 'string'
      ? [{ interruptId, status: 'resolved', payload: parsed(content) }]
      : [{ interruptId, status: 'cancelled' }];
  });
};

/** Entries about calls that the thread does not hold are passed over, as the protocol asks. */
export const readAnswers = ({ resume = [], messages }: RunAgentInput): readonly Answer[] => {
  const calls = messages.flatMap((message) =>
    message.role === 'assistant' ? (message.toolCalls ?? []) : [],
  );
  const ids = [...new Set(resume.map(({ interruptId }) => interruptId))];
  return ids.flatMap((id) => {
    const call = calls.find((one) => one.id === askedCall(id));
    if (!call) return [];
    const entries = resume.filter(({ interruptId }) => interruptId === id);
    return [answerOf({ call, proposed: parsed(call.function.arguments) }, entries)];
  });
};

export type Reply = { readonly key: string } & (
  | { readonly is: 'answered'; readonly given: Readonly<Record<string, unknown>> }
  | { readonly is: 'cancelled' }
);

/** What was answered to questions about nothing that was called; `keys` are theirs, by interrupt id. */
export const readReplies = (
  { resume = [] }: RunAgentInput,
  keys: ReadonlyMap<string, string>,
): readonly Reply[] =>
  [...keys].flatMap(([id, key]): Reply[] => {
    const [entry, ...more] = resume.filter(({ interruptId }) => interruptId === id);
    if (!entry) return [];
    const given: unknown = entry.status === 'resolved' && more.length === 0 ? entry.payload : undefined;
    return [isObject(given) ? { key, is: 'answered', given } : { key, is: 'cancelled' }];
  });

/** AGT-25: only `approved: true` approves; no payload, another one, or two answers to one question do not. */
const answerOf = (about: Asked, [entry, ...more]: readonly ResumeEntry[]): Answer => {
  const payload: unknown = entry?.status === 'resolved' && more.length === 0 ? entry.payload : undefined;
  if (!isObject(payload)) return { ...about, is: 'cancelled' };
  if (payload.approved === true) return approvalOf(about, payload.editedArgs);
  if (payload.approved !== false) return { ...about, is: 'cancelled' };
  const { reason } = payload;
  return { ...about, is: 'rejected', ...(typeof reason === 'string' ? { reason } : {}) };
};

/** Edited arguments replace the proposed ones whole. */
const approvalOf = (about: Asked, editedArgs: unknown): Answer => {
  const edited = isObject(editedArgs);
  return { ...about, is: 'approved', edited, args: edited ? editedArgs : about.proposed };
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
};
