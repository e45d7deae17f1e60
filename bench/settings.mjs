/** What the fan-out bench runs with; `NAME=value npm run bench` changes it. */
const number = (name, otherwise) => Number(process.env[name] ?? otherwise);

export const settings = {
  /** Readers of one thread. */
  sockets: number('SOCKETS', 1_000),
  /** Deltas the agent writes in one round. */
  deltas: number('DELTAS', 160),
  /** Milliseconds between two deltas: above the hub's 25 ms flush window, so that each is a frame of its own. */
  everyMs: number('EVERY_MS', 40),
  /** Rounds of each server, in turns. */
  rounds: number('ROUNDS', 3),
  surface: process.env.SURFACE ?? 'customer',
};
