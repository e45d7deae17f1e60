/** Verifies the bearer tokens that an issuer signed. */
import { createHash, createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import type { JWTVerifyGetKey, JWTVerifyOptions } from 'jose';
import { ok, refuse } from '@triptych/protocol';
import type { Result } from '@triptych/protocol';
import { actorFromClaims } from '../core/actor.js';
import type { Actor } from '../core/actor.js';
import { recentTokens } from './recent-tokens.js';

/** What a token may be signed with, by kind of key; in particular never `none` and never a shared secret. */
const ALGORITHMS: Readonly<Record<string, string>> = { ed25519: 'EdDSA', ec: 'ES256', rsa: 'RS256' };
/** For `nbf` only: clocks of an issuer and a hub differ by a little, but an expired token has expired. */
const CLOCK_TOLERANCE_S = 5;
/** A longer token is no token, and not worth hashing. */
const MAX_TOKEN_LENGTH = 16 * 1024;
const MIN_RSA_BITS = 2048;

export interface TokenVerifier {
  verify(token: string): Promise<Result<Actor>>;
}

export interface VerifierOptions {
  /** Where the issuer publishes its keys; or `publicKey`. */
  readonly jwksUrl?: string;
  /** One public key as PEM (SPKI) or as the JSON of a JWK. */
  readonly publicKey?: string;
  readonly issuer?: string;
  readonly audience?: string;
  /** The tenant of tokens that name none; without it they are refused. */
  readonly defaultTenant?: string;
}

class KeysAway extends Error {}

const unauthenticated = (message: string) => refuse('UNAUTHENTICATED', { message });
const EXPIRED = unauthenticated('The token has expired.');

/** ACC-15: a refusal says what kind of thing is wrong and never repeats the token or what it claims. */
const refusalOf = (failure: unknown): Result<never> => {
  if (failure instanceof KeysAway)
    return refuse('INTERNAL', { message: 'The keys that tokens are checked with could not be fetched.' });
  if (failure instanceof errors.JWTExpired) return EXPIRED;
  if (failure instanceof errors.JWTClaimValidationFailed)
    return unauthenticated(`The token’s claim "${failure.claim}" is missing or not the one expected.`);
  if (failure instanceof errors.JOSEError) return unauthenticated('The token is not valid.');
  throw failure;
};

const stillGood = (actor: Actor): Result<Actor> => (actor.expiresAt <= Date.now() ? EXPIRED : ok(actor));

type Check = (token: string) => Promise<unknown>;

const remembering = (check: Check, defaultTenant?: string): TokenVerifier => {
  const recent = recentTokens();
  const verifyAnew = async (token: string): Promise<Result<Actor>> => {
    const actor = await check(token).then(
      (claims) =>
        actorFromClaims(claims, {
          now: Date.now(),
          ...(defaultTenant === undefined ? {} : { defaultTenant }),
        }),
      refusalOf,
    );
    return actor.ok ? stillGood(actor.value) : actor;
  };
  return {
    verify: async (token) => {
      if (token.length > MAX_TOKEN_LENGTH) return unauthenticated('The token is too long.');
      const key = createHash('sha256').update(token).digest('base64');
      const known = recent.get(key);
      if (known) return stillGood(known);
      const actor = await verifyAnew(token);
      if (actor.ok) recent.add(key, actor.value);
      return actor;
    },
  };
};

/** Only the key set's own "no such key" is the token's fault; all else is ours. */
const blamingTheKeys =
  (getKey: JWTVerifyGetKey): JWTVerifyGetKey =>
  async (header, token) => {
    try {
      return await getKey(header, token);
    } catch (failure) {
      const tokensFault =
        failure instanceof errors.JWKSNoMatchingKey || failure instanceof errors.JWKSMultipleMatchingKeys;
      throw tokensFault ? failure : new KeysAway('key set', { cause: failure });
    }
  };

const publicKeyFrom = (text: string): KeyObject =>
  text.trimStart().startsWith('{')
    ? createPublicKey({ key: JSON.parse(text), format: 'jwk' })
    : createPublicKey(text);

const algorithmOf = (key: KeyObject): string => {
  const algorithm = ALGORITHMS[key.asymmetricKeyType ?? ''];
  const { namedCurve, modulusLength } = key.asymmetricKeyDetails ?? {};
  const usable =
    (namedCurve === undefined || namedCurve === 'prime256v1') &&
    (modulusLength === undefined || modulusLength >= MIN_RSA_BITS);
  if (!algorithm || !usable)
    throw new Error('The public key must be Ed25519, P-256, or RSA of at least 2048 bits.');
  return algorithm;
};

/** Verifies against one key, with the one algorithm that fits it. */
export const verifierWithKey = (
  key: KeyObject,
  { issuer, audience, defaultTenant }: Omit<VerifierOptions, 'jwksUrl' | 'publicKey'> = {},
): TokenVerifier => {
  const rules = rulesOf({ issuer, audience }, [algorithmOf(key)]);
  return remembering(async (token) => (await jwtVerify(token, key, rules)).payload, defaultTenant);
};

const rulesOf = (
  { issuer, audience }: Pick<VerifierOptions, 'issuer' | 'audience'>,
  algorithms: string[],
): JWTVerifyOptions => ({
  algorithms,
  requiredClaims: ['sub', 'exp'],
  clockTolerance: CLOCK_TOLERANCE_S,
  ...(issuer === undefined ? {} : { issuer }),
  ...(audience === undefined ? {} : { audience }),
});

/** Throws on settings that can verify nothing; what is wrong with a token is a refusal. */
export const verifierFrom = (options: VerifierOptions): TokenVerifier => {
  if (options.publicKey !== undefined) return verifierWithKey(publicKeyFrom(options.publicKey), options);
  if (options.jwksUrl === undefined)
    throw new Error('Tokens need a key set address or a public key to be checked with.');
  const keys = blamingTheKeys(createRemoteJWKSet(new URL(options.jwksUrl)));
  const rules = rulesOf(options, Object.values(ALGORITHMS));
  return remembering(async (token) => (await jwtVerify(token, keys, rules)).payload, options.defaultTenant);
};
