/** In every history of a batch, whoever does what to it: what leaves for the agent is lawful. */
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { verifies } from '../../../../test/spec/verifies.js';
import { HISTORIES, MENDS, WORKS, type History } from '../../test/histories/moves.js';
import { Story } from '../../test/histories/story.js';

/** More of them, or those of before again: RESUME_HISTORIES=50000 RESUME_SEED=7 npm test -- resume-law. */
const COUNT = Number(process.env['RESUME_HISTORIES'] ?? 10_000);
const SEED = Number(process.env['RESUME_SEED'] ?? randomInt(1_000_000));
/** In so many of them everything happens that can. */
const ENOUGH = 2_000;
const LIMIT_MS = 120_000 + COUNT * 60;
/** What a history may hold that has to be in some, or nothing is proved of it. */
const SEEN = [
  ...[
    'approve',
    'edit',
    'reject',
    'respond',
    'cancel',
    'resume',
    'answer',
    'send',
    'send again',
    'asked again',
  ],
  ...['entry resolved', 'entry cancelled', 'message result', 'message cancelled', 'message expired'],
  ...WORKS,
  ...MENDS.map((verb) => `mend ${verb}`),
];

const play = (history: History): ReadonlyMap<string, number> => {
  const story = new Story(history);
  for (const move of history.moves) story.play(move);
  return story.law.counts;
};

describe(`the law of resumes, from seed ${SEED}`, () => {
  verifies(
    'APR-12',
    'whatever happens, no entry is missing, extra, twice, unsaid or resolved after its deadline; none goes twice that may have arrived',
    () => {
      const counts = new Map<string, number>();
      fc.assert(
        fc.property(HISTORIES, (history) => {
          for (const [what, times] of play(history)) counts.set(what, (counts.get(what) ?? 0) + times);
        }),
        { numRuns: COUNT, seed: SEED },
      );
      const told = [...counts].map(([what, times]) => `${what} ${times}`).join(', ');
      process.stderr.write(`resumes: RESUME_SEED=${SEED} RESUME_HISTORIES=${COUNT}: all lawful (${told})\n`);
      if (COUNT >= ENOUGH) expect(SEEN.filter((what) => !counts.has(what))).toEqual([]);
    },
    LIMIT_MS,
  );
});
