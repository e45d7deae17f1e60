/** What every bench runs with; `SCALE=0.1 ROUNDS=1 npm run bench` is a quick look. */
const number = (name, otherwise) => Number(process.env[name] ?? otherwise);

const SCALE = number('SCALE', 1);

/** So many readers, on a machine that is to be spared fewer. */
export const scaled = (count) => Math.ceil(count * SCALE);

export const settings = {
  /** Readers of a crowd. */
  sockets: scaled(1_000),
  /** Deltas an agent writes in one round. */
  deltas: number('DELTAS', 60),
  /** Milliseconds between two of them: above the hub's 25 ms flush window, so that each is a frame of its own. */
  everyMs: number('EVERY_MS', 40),
  /** Rounds of each contender, in turns. */
  rounds: number('ROUNDS', 5),
};
