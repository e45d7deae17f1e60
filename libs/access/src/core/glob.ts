/** Matches text against a pattern in which `*` stands for any run of characters and `?` for one. */

/** Steps back to the last `*` only, so that no pattern makes a long text slow. */
export const globMatches = (pattern: string, text: string): boolean => {
  let [p, t, star, retry] = [0, 0, -1, 0];
  while (t < text.length) {
    if (pattern[p] === '*') [star, retry, p] = [p, t, p + 1];
    else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === text[t])) [p, t] = [p + 1, t + 1];
    else if (star >= 0) [p, t, retry] = [star + 1, retry + 1, retry + 1];
    else return false;
  }
  while (pattern[p] === '*') p += 1;
  return p === pattern.length;
};

export const anyGlobMatches = (patterns: readonly string[], text: string): boolean =>
  patterns.some((pattern) => globMatches(pattern, text));
