/** The ways to look at one thread, named in the address. */
export const LOOKS = ['log', 'runs', 'saw', 'state', 'findings', 'readers'] as const;
export type Look = (typeof LOOKS)[number];

export const lookNamed = (name: string | undefined): Look => LOOKS.find((look) => look === name) ?? 'log';

/** What the address says of a look; the first is meant where it says nothing. */
export const nameOfLook = (look: Look): string | undefined => (look === LOOKS[0] ? undefined : look);
