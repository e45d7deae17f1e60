/** What people are called, by subject, as far as their names are known. */
export type Names = Readonly<Record<string, string>>;

/** A subject is whatever a token says: `constructor` is one, and nobody's name. */
export const nameIn = (names: Names, subject: string): string =>
  Object.hasOwn(names, subject) ? (names[subject] ?? subject) : subject;
