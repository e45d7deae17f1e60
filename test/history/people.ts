/** The people of a history and their tokens. */
import type { Surface } from '@triptych/protocol';
import type { Issuer } from '../stand/issuer.js';

/** Whoever reads a surface; the reviewer is an operator too, because reviewers alone need a task to be let in. */
const PEOPLE: Readonly<Record<Surface, { readonly sub: string; readonly roles: readonly string[] }>> = {
  customer: { sub: 'amelia', roles: ['customer'] },
  reviewer: { sub: 'tove', roles: ['reviewer', 'operator'] },
  operator: { sub: 'mo', roles: ['operator'] },
};

/** The agent that comes by itself. */
export const ENGINE = 'engine';

export type Tokens = Readonly<Record<Surface | 'engine', string>>;

export const tokensFrom = async (issuer: Issuer): Promise<Tokens> => ({
  customer: await issuer.sign(PEOPLE.customer),
  reviewer: await issuer.sign(PEOPLE.reviewer),
  operator: await issuer.sign(PEOPLE.operator),
  engine: await issuer.sign({ sub: ENGINE, roles: ['agent'] }),
});
