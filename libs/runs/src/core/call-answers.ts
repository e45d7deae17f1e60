/** Finds a client's answers to the calls of its own tools among the messages it brings; nobody else's calls are its to answer. */
import type { Message, ToolMessage } from '@triptych/protocol';
import type { CallsToAnswer } from './ports.js';

export interface Said {
  /** Who brings the messages. */
  readonly subject: string;
  readonly messages: readonly Message[];
  /** Ids of messages the thread knows already. */
  readonly known: ReadonlySet<string>;
}

export interface CallAnswers {
  /** For each call that waits one, in the order the calls were made; empty where any is missing. */
  readonly answers: readonly ToolMessage[];
  readonly isWhole: boolean;
  /** Tool calls, as messages that answer none of the client's own name them. */
  readonly foreign: readonly string[];
}

/** Only the answer counts, as with everything a client says. */
const bare = ({ id, toolCallId, content, error }: ToolMessage): ToolMessage =>
  ({ id, role: 'tool', toolCallId, content, ...(error === undefined ? {} : { error }) }) as ToolMessage;

const newAnswers = ({ messages, known }: Said): readonly ToolMessage[] =>
  messages.filter((message): message is ToolMessage => message.role === 'tool' && !known.has(message.id));

/** RUN-47, RUN-48: the first new message for each call that waits, and no other; all of them, or none. */
export const answersTo = (open: CallsToAnswer | undefined, said: Said): CallAnswers => {
  const fresh = newAnswers(said);
  const theirs = open?.answerers.includes(said.subject) ? fresh : [];
  const { calls = [], lapsed } = open ?? {};
  const found = calls.map((call) => theirs.find(({ toolCallId }) => toolCallId === call));
  const answers = calls.flatMap((call, nth) => (found[nth] ? [bare(found[nth])] : (lapsed?.(call) ?? [])));
  const isWhole = answers.length === calls.length;
  return {
    answers: isWhole ? answers : [],
    isWhole,
    foreign: fresh.filter((message) => !found.includes(message)).map(({ toolCallId }) => toolCallId),
  };
};
