/** The people the development mode can be signed in as. */
import type { Surface } from '@triptych/protocol';

export interface Persona {
  readonly sub: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly groups?: readonly string[];
}

export const PERSONAS: Readonly<Record<Surface, readonly [Persona, ...Persona[]]>> = {
  customer: [
    { sub: 'amelia', name: 'Amelia Hartmann', roles: ['customer'] },
    { sub: 'ben', name: 'Ben Okoro', roles: ['customer'] },
  ],
  reviewer: [
    { sub: 'tove', name: 'Tove Lindqvist', roles: ['reviewer'], groups: ['advisors', 'refunds', 'travel'] },
    { sub: 'jan', name: 'Jan Peeters', roles: ['reviewer'], groups: ['advisors'] },
    {
      sub: 'ruth',
      name: 'Ruth Okafor',
      roles: ['supervisor'],
      groups: ['advisors', 'refunds', 'travel', 'desk-leads'],
    },
  ],
  operator: [
    { sub: 'mo', name: 'Mo Adeyemi', roles: ['operator'] },
    { sub: 'ada', name: 'Ada Nwosu', roles: ['operator', 'auditor'] },
  ],
};

/** `tove` is easier to read as Tove; people outside development keep the name their token gave. */
export const nameOf = (subject: string): string =>
  Object.values(PERSONAS)
    .flat()
    .find((persona) => persona.sub === subject)?.name ?? subject;

export const firstNameOf = (subject: string): string => nameOf(subject).split(' ')[0] ?? subject;

export const initialsOf = (name: string): string => {
  const words = name.split(/[\s._@-]+/).filter(Boolean);
  const last = words.length > 1 ? words.at(-1) : undefined;
  return `${words[0]?.[0] ?? ''}${last?.[0] ?? ''}`.toUpperCase();
};
