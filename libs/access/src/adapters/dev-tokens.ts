/** Signs and verifies the tokens of a development hub with one key that all hubs on a store share. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import type { JsonWebKey } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Role } from '../core/actor.js';
import { type Issuer, verifierWithKey } from './jose-tokens.js';

export interface TokenRequest {
  readonly sub: string;
  readonly roles: readonly (Role | (string & {}))[];
  readonly groups?: readonly string[];
  readonly tenant?: string;
  readonly name?: string;
  readonly ttlSeconds?: number;
}

export interface SignedToken {
  readonly token: string;
  /** Unix milliseconds. */
  readonly expiresAt: number;
}

export interface DevTokens extends Issuer {
  sign(request: TokenRequest): Promise<SignedToken>;
}

const DEV_TENANT = 'default';
const DEV_ISSUER = 'triptych-dev';
/** A working day: long enough not to disturb, short enough not to linger. */
const DEFAULT_TTL_SECONDS = 8 * 60 * 60;
const MS_PER_SECOND = 1000;

/** A new private key as a JWK, for the first hub on a store to keep there. */
export const newDevKey = (): JsonWebKey =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });

export const devTokens = (privateKey: JsonWebKey): DevTokens => {
  const signingKey = createPrivateKey({ key: privateKey, format: 'jwk' });
  const verifier = verifierWithKey(createPublicKey(signingKey), {
    issuer: DEV_ISSUER,
    defaultTenant: DEV_TENANT,
  });
  return {
    ...verifier,
    sign: async ({
      sub,
      roles,
      groups = [],
      tenant = DEV_TENANT,
      name,
      ttlSeconds = DEFAULT_TTL_SECONDS,
    }) => {
      // To the millisecond: a token signed after a revocation must not seem to be from before it.
      const issuedAt = Date.now() / MS_PER_SECOND;
      const expires = Math.floor(issuedAt) + ttlSeconds;
      const token = await new SignJWT({ tenant, roles, groups, ...(name === undefined ? {} : { name }) })
        .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' })
        .setSubject(sub)
        .setIssuer(DEV_ISSUER)
        .setJti(randomUUID())
        .setIssuedAt(issuedAt)
        .setExpirationTime(expires)
        .sign(signingKey);
      return { token, expiresAt: expires * MS_PER_SECOND };
    },
  };
};
