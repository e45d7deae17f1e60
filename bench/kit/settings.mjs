/** What every bench runs with; `ROUNDS=1 SOCKETS=100 npm run bench` is a quick look. */
const number = (name, otherwise) => Number(process.env[name] ?? otherwise);

export const settings = {
  /** Readers of a crowd. */
  sockets: number('SOCKETS', 1_000),
  /** Deltas an agent writes in one round. */
  deltas: number('DELTAS', 80),
  /** Milliseconds between two of them: above the hub's 25 ms flush window, so that each is a frame of its own. */
  everyMs: number('EVERY_MS', 40),
  /** Rounds of each contender, in turns. */
  rounds: number('ROUNDS', 5),
};
