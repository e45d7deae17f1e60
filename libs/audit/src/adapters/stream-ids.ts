/** Compares the ids of streams, and finds the next one. */

const parts = (id: string): readonly [ms: number, nth: number] => {
  const [ms, nth] = id.split('-');
  return [Number(ms), Number(nth ?? 0)];
};

export const byId = (a: string, b: string): number => {
  const [ms, nth] = parts(a);
  const [otherMs, otherNth] = parts(b);
  return ms - otherMs || nth - otherNth;
};

/** The first id that may follow; `-` where there is none before. */
export const afterId = (id: string | null | undefined): string => {
  if (id == null) return '-';
  const [ms, nth] = parts(id);
  return `${ms}-${nth + 1}`;
};

/** Of each source the last id. */
export const lastIds = (
  entries: readonly { readonly source: string; readonly id: string }[],
): ReadonlyMap<string, string> => new Map(entries.map(({ source, id }) => [source, id]));
