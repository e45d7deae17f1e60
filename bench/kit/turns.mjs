/** Contenders in turns (A B C, A B C, …), so that whatever else the machine does hits all of them alike. */

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)];

/**
 * Runs every contender once a round; each gives a number. Answers with their medians and with ratios, each the
 * median of what the rounds gave. A round before the first one is not counted: it only warms them all up.
 */
export const inTurns = async (rounds, contenders) => {
  const names = Object.keys(contenders);
  const figures = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++)
    for (const name of names) {
      const figure = await contenders[name](`${name}-${round}`);
      if (round > 0) figures[name].push(figure);
    }
  return {
    of: (name) => median(figures[name]),
    ratio: (a, b) => median(figures[a].map((figure, n) => figure / figures[b][n])),
  };
};
