/** What is said in a bench: one long message, in deltas of a few words, the same for every contender. */

const WORDS = 'the quick brown fox jumps over the lazy dog, ';
/** As long as the hub's sealed positions, so that frames of all contenders have the same size. */
const POSITION_LENGTH = 48;

export const deltaOf = (n) => `${n} ${WORDS}`;

/** Of one run; of several when `deltas` is a list. */
export const wholeText = (deltas) =>
  [deltas]
    .flat()
    .map((count) => Array.from({ length: count }, (_, n) => deltaOf(n)).join(''))
    .join('');

export const opening = ({ threadId, runId }) => [
  { type: 'RUN_STARTED', threadId, runId },
  { type: 'TEXT_MESSAGE_START', messageId: runId, role: 'assistant' },
];
export const content = ({ runId }, delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: runId, delta });
export const ending = ({ threadId, runId }) => [
  { type: 'TEXT_MESSAGE_END', messageId: runId },
  { type: 'RUN_FINISHED', threadId, runId },
];

const positionOf = (n) => String(n).padStart(POSITION_LENGTH, '0');

/** The same as frames, for servers that have no log: each with the position before it and its own. */
export const framesOf = (run, deltas) => {
  const contents = Array.from({ length: deltas }, (_, n) => content(run, deltaOf(n)));
  const frame = (event, n) => ({
    threadId: run.threadId,
    prev: positionOf(n),
    pos: positionOf(n + 1),
    events: [event],
  });
  return [...opening(run), ...contents, ...ending(run)].map(frame);
};

/** Calls `say` with one frame after the other, `burst` of them every `everyMs`. */
export const play = async (frames, { everyMs, burst = 1, say }) => {
  const began = performance.now();
  for (const [n, frame] of frames.entries()) {
    const wait = began + Math.floor(n / burst) * everyMs - performance.now();
    if (wait > 0) await new Promise((done) => setTimeout(done, wait));
    say(frame);
  }
};
