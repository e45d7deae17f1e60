/** Signs the tokens of a history's people, so that neither they nor the hubs need a store to know who is who. */
import { randomBytes } from 'node:crypto';
import { exportSPKI, generateKeyPair, SignJWT } from 'jose';
import type { Surface } from '@triptych/protocol';

const ISSUER = 'history';
const LIFE = '2h';

/** Whoever reads a surface; the reviewer is an operator too, because reviewers alone need a task to be let in. */
const PEOPLE: Readonly<Record<Surface, { readonly sub: string; readonly roles: readonly string[] }>> = {
  customer: { sub: 'amelia', roles: ['customer'] },
  reviewer: { sub: 'tove', roles: ['reviewer', 'operator'] },
  operator: { sub: 'mo', roles: ['operator'] },
};

/** The agent that comes by itself. */
export const ENGINE = 'engine';

export interface Issuer {
  /** Settings of a hub that believes this issuer. */
  readonly env: Readonly<Record<string, string>>;
  readonly tokens: Readonly<Record<Surface | 'engine', string>>;
}

export const issuer = async (): Promise<Issuer> => {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
  const token = ({ sub, roles }: (typeof PEOPLE)[Surface]): Promise<string> =>
    new SignJWT({ roles, tenant: 'default' })
      .setProtectedHeader({ alg: 'EdDSA' })
      .setSubject(sub)
      .setIssuer(ISSUER)
      .setAudience(ISSUER)
      .setIssuedAt()
      .setExpirationTime(LIFE)
      .sign(privateKey);
  const { customer, reviewer, operator } = PEOPLE;
  return {
    env: {
      AUTH_MODE: 'jwt',
      AUTH_PUBLIC_KEY: await exportSPKI(publicKey),
      AUTH_ISSUER: ISSUER,
      AUTH_AUDIENCE: ISSUER,
      HUB_SECRET: randomBytes(32).toString('base64'),
    },
    tokens: {
      customer: await token(customer),
      reviewer: await token(reviewer),
      operator: await token(operator),
      engine: await token({ sub: ENGINE, roles: ['agent'] }),
    },
  };
};
