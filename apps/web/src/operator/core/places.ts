/** The pages of the console, named in its address. */
export const PLACES = ['threads', 'batches', 'health', 'trail'] as const;
export type Place = (typeof PLACES)[number];

export const placeNamed = (name: string | undefined): Place =>
  PLACES.find((place) => place === name) ?? 'threads';

/** What the address says of a place; the first is meant where it says nothing. */
export const nameOfPlace = (place: Place): string | undefined => (place === PLACES[0] ? undefined : place);
