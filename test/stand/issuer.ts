/** Signs tokens for a test's people, so that neither they nor the hubs need a store to know who is who. */
import { randomBytes } from 'node:crypto';
import { exportSPKI, generateKeyPair, SignJWT } from 'jose';
import type { Person } from '@triptych/testkit';

const ISSUER = 'stand';
const LIFE = '2h';

export interface Issuer {
  /** Settings of a hub that believes this issuer. */
  readonly env: Readonly<Record<string, string>>;
  sign(person: Person): Promise<string>;
}

export const newIssuer = async (): Promise<Issuer> => {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
  return {
    env: {
      AUTH_MODE: 'jwt',
      AUTH_PUBLIC_KEY: await exportSPKI(publicKey),
      AUTH_ISSUER: ISSUER,
      AUTH_AUDIENCE: ISSUER,
      HUB_SECRET: randomBytes(32).toString('base64'),
    },
    sign: ({ sub, roles, groups = [], tenant = 'default' }) =>
      new SignJWT({ roles, groups, tenant })
        .setProtectedHeader({ alg: 'EdDSA' })
        .setSubject(sub)
        .setIssuer(ISSUER)
        .setAudience(ISSUER)
        .setIssuedAt()
        .setExpirationTime(LIFE)
        .sign(privateKey),
  };
};
