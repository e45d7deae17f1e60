/** Everybody who may stand at a door: one of each role, and those who look like one. */
import { type Person, type Product, until } from '@triptych/testkit';

const ELSEWHERE = 'elsewhere';

const owner: Person = { sub: 'amelia', roles: ['customer'] };
const candidate: Person = { sub: 'cleo', roles: ['reviewer'], groups: ['desk'] };
const supervisor: Person = { sub: 'sana', roles: ['supervisor'], groups: ['desk'] };
const operator: Person = { sub: 'mo', roles: ['operator'] };
const engine: Person = { sub: 'engine', roles: ['agent'] };

/** Those who come with a token of their own. */
export const PEOPLE = {
  owner,
  other: { sub: 'ben', roles: ['customer'] },
  /** The owner again, who reviews as well. */
  twin: { sub: 'amelia', roles: ['customer', 'reviewer'], groups: ['desk'] },
  candidate,
  outsider: { sub: 'otto', roles: ['reviewer'], groups: ['ops'] },
  supervisor,
  stranger: { sub: 'selma', roles: ['supervisor'], groups: ['ops'] },
  operator,
  auditor: { sub: 'auda', roles: ['auditor'], groups: ['desk'] },
  admin: { sub: 'adam', roles: ['admin'], groups: ['desk'] },
  /** Comes by itself; one thread is bound to it. */
  engine,
  /** Comes by itself too; no thread is bound to it. */
  rival: { sub: 'rival', roles: ['agent'] },
  /** The agent of most threads, which is called and does not come. */
  told: { sub: 'told', roles: ['agent'] },
  /** `agent` excludes every other role. */
  mask: { sub: 'rival', roles: ['agent', 'operator', 'customer', 'reviewer'], groups: ['desk'] },
  nobody: { sub: 'nora', roles: [], groups: ['desk'] },
  /** Names of roles that are none. */
  bridge: { sub: 'slack', roles: ['bridge', 'Operator', 'reviewer ', 'hub'], groups: ['desk'] },
  foreignOwner: { ...owner, tenant: ELSEWHERE },
  foreignCandidate: { ...candidate, tenant: ELSEWHERE },
  foreignSupervisor: { ...supervisor, tenant: ELSEWHERE },
  foreignOperator: { ...operator, tenant: ELSEWHERE },
  foreignEngine: { ...engine, tenant: ELSEWHERE },
} as const satisfies Readonly<Record<string, Person>>;

export type Somebody = keyof typeof PEOPLE;
/** Those who come without a token that is good. */
export const TOKENLESS = ['none', 'expired', 'forged', 'unsigned', 'revoked'] as const;
export type Name = Somebody | (typeof TOKENLESS)[number];

export const EVERYBODY = [...Object.keys(PEOPLE), ...TOKENLESS] as readonly Name[];

/** What the tables say instead of many names. */
const TOGETHER: Readonly<Record<string, readonly Name[]>> = {
  OFFICE: ['auditor', 'admin'],
  AGENTS: ['engine', 'rival', 'told', 'mask', 'foreignEngine'],
  ROLELESS: ['nobody', 'bridge'],
  FOREIGN: ['foreignOwner', 'foreignCandidate', 'foreignSupervisor', 'foreignOperator'],
  TOKENLESS,
};

export const namesIn = (text: string): readonly Name[] =>
  text.split(' ').flatMap((word) => TOGETHER[word] ?? [word as Name]);

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Of good tokens: the claims of another under the first one's signature. */
const forgedFrom = (mine: string, theirs: string): string => {
  const [head, , signature] = mine.split('.');
  return [head, theirs.split('.')[1], signature].join('.');
};

const unsignedFrom = (token: string): string =>
  [encoded({ alg: 'none', typ: 'JWT' }), token.split('.')[1], ''].join('.');

export type Tokens = Readonly<Record<Name, string | undefined>>;

/** An operator's, until the admin said no. */
const revokedBy = async (product: Product, admin: string): Promise<string> => {
  const token = await product.token({ sub: 'left', roles: ['operator'] });
  await product.fetch('/v1/revocations', { token: admin, body: { sub: 'left' } });
  await until(async () => (await product.fetch('/v1/agents', { token })).status === 401);
  return token;
};

export const tokensOf = async (product: Product): Promise<Tokens> => {
  const names = Object.keys(PEOPLE) as Somebody[];
  const given = await Promise.all(
    names.map(async (name) => [name, await product.token(PEOPLE[name])] as const),
  );
  const good = Object.fromEntries(given) as Record<Somebody, string>;
  return {
    ...good,
    none: undefined,
    expired: await product.token({ ...operator, ttlSeconds: 1 }),
    forged: forgedFrom(good.nobody, good.operator),
    unsigned: unsignedFrom(good.operator),
    revoked: await revokedBy(product, good.admin),
  };
};
