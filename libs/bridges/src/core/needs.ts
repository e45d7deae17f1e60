/** Names what a destination cannot do without: variables that are not set, and parts of the file that are not there. */
import type { Bridges } from './bridges.js';
import { KINDS, type Kinds } from './kinds.js';

/** Tasks are shown there; what people do there is heard. */
export type Side = 'shown' | 'heard';

/** By destination, what is missing; empty: all works. */
export type Unmet = ReadonlyMap<string, readonly string[]>;

export const unmetNeeds = (
  { destinations }: Pick<Bridges, 'destinations'>,
  {
    side,
    given,
    kinds = KINDS,
  }: { readonly side: Side; readonly given: ReadonlySet<string>; readonly kinds?: Kinds },
): Unmet =>
  new Map(
    [...destinations.values()].flatMap((place) => {
      const needs = kinds[place.kind]?.needs?.(place as never)[side] ?? [];
      const missing = needs.filter((name) => !given.has(name));
      return missing.length > 0 ? [[place.id, missing] as const] : [];
    }),
  );

/** One line each for all that lack the same. */
export const linesOf = (
  unmet: Unmet,
): readonly { readonly missing: string; readonly destinations: string }[] => {
  const byMissing = new Map<string, string[]>();
  for (const [id, missing] of unmet) {
    const text = missing.join(', ');
    byMissing.set(text, [...(byMissing.get(text) ?? []), id]);
  }
  return [...byMissing].map(([missing, ids]) => ({ missing, destinations: ids.join(', ') }));
};
