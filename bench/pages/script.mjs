/** What the pages are told: messages and tool calls in turns, in pieces as small as a model says them. */

/** About what a model says at once. */
const TOKENS = ['the ', 'quick ', 'brown ', 'fox ', 'jumps ', 'over '];
/** Of one message or call, its first and last event included. */
const PIECES = 50;

const textOf = (n) => TOKENS[n % TOKENS.length];
const times = (count, make) => Array.from({ length: count }, (_, n) => make(n));

export const lastWordOf = (runId) => `end of ${runId}`;

const message = (id, events) => [
  { type: 'TEXT_MESSAGE_START', messageId: `m-${id}`, role: 'assistant' },
  ...times(events - 2, (n) => ({
    type: 'TEXT_MESSAGE_CONTENT',
    messageId: `m-${id}`,
    delta: textOf(n),
  })),
  { type: 'TEXT_MESSAGE_END', messageId: `m-${id}` },
];

/** Its arguments are a whole JSON text only with their last piece. */
const toolCall = (id, events) => {
  const toolCallId = `c-${id}`;
  const pieces = ['{"words":"', ...times(events - 4, textOf), '"}'];
  return [
    { type: 'TOOL_CALL_START', toolCallId, toolCallName: 'look' },
    ...pieces.map((delta) => ({ type: 'TOOL_CALL_ARGS', toolCallId, delta })),
    { type: 'TOOL_CALL_END', toolCallId },
  ];
};

/** The whole run: `count` events or a few more, and then one word of its own, by which its end is known. */
export const runOf = ({ threadId, runId }, count) => {
  const parts = times(Math.ceil(count / PIECES), (n) =>
    (n % 2 === 0 ? message : toolCall)(`${runId}-${n}`, PIECES),
  );
  const last = { messageId: `l-${runId}` };
  return [
    { type: 'RUN_STARTED', threadId, runId },
    ...parts.flat(),
    { type: 'TEXT_MESSAGE_START', ...last, role: 'assistant' },
    { type: 'TEXT_MESSAGE_CONTENT', ...last, delta: lastWordOf(runId) },
    { type: 'TEXT_MESSAGE_END', ...last },
    { type: 'RUN_FINISHED', threadId, runId },
  ];
};

/** What a page that only appends is told of it. */
export const wordsOf = (events) => events.map(({ delta, type }) => delta ?? type);
