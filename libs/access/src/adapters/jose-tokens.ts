/** Verifies the bearer tokens that an issuer signed. */
import { createHash, createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { errors, jwtVerify } from 'jose';
import type { JWTVerifyOptions } from 'jose';
import { ok, refuse } from '@triptych/protocol';
import type { Result } from '@triptych/protocol';
import { actorFromClaims } from '../core/actor.js';
import type { Actor } from '../core/actor.js';
import { type Check, type Checked, checkingWith } from './check-with-keys.js';
import { IssuerKeys, KEY_BOUNDS, type KeyBounds, KeysAway, KeysBusy } from './issuer-keys.js';
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

/** Whoever signs tokens, as far as is known here. */
export interface Issuer extends TokenVerifier {
  /** Whether the key that this actor's token was signed with is still one of the issuer's. */
  vouchesFor(actor: Actor): boolean;
  /** Calls `listener` when the keys have become others, until the returned stop. */
  onChange(listener: () => void): () => void;
  stop(): void;
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
  readonly keyBounds?: Partial<KeyBounds>;
  /** Hears why the keys could not be fetched. */
  readonly report?: (failure: unknown) => void;
}

const unauthenticated = (message: string) => refuse('UNAUTHENTICATED', { message });
const EXPIRED = unauthenticated('The token has expired.');

/** ACC-15: a refusal says what kind of thing is wrong and never repeats the token or what it claims. */
const refusalOf = (failure: unknown): Result<never> => {
  if (failure instanceof KeysAway)
    return refuse('INTERNAL', {
      message: 'The keys that tokens are checked with could not be fetched.',
      retryAfterMs: KEY_BOUNDS.cooldownMs,
    });
  if (failure instanceof KeysBusy) return refuse('RATE_LIMITED', { retryAfterMs: KEY_BOUNDS.cooldownMs });
  if (failure instanceof errors.JWTExpired) return EXPIRED;
  if (failure instanceof errors.JWTClaimValidationFailed)
    return unauthenticated(`The token’s claim "${failure.claim}" is missing or not the one expected.`);
  if (failure instanceof errors.JOSEError) return unauthenticated('The token is not valid.');
  throw failure;
};

const stillGood = (actor: Actor): Result<Actor> => (actor.expiresAt <= Date.now() ? EXPIRED : ok(actor));

interface Remembering {
  readonly check: Check;
  readonly vouchesFor: (actor: Actor) => boolean;
  readonly defaultTenant: string | undefined;
}

const remembering = ({ check, vouchesFor, defaultTenant }: Remembering): TokenVerifier => {
  const recent = recentTokens();
  const actorFrom = ({ claims, keyId }: Checked): Result<Actor> => {
    const actor = actorFromClaims(claims, {
      now: Date.now(),
      ...(defaultTenant === undefined ? {} : { defaultTenant }),
    });
    return actor.ok && keyId !== undefined ? ok({ ...actor.value, keyId }) : actor;
  };
  const verifyAnew = async (token: string): Promise<Result<Actor>> => {
    const actor = await check(token).then(actorFrom, refusalOf);
    return actor.ok ? stillGood(actor.value) : actor;
  };
  return {
    verify: async (token) => {
      if (token.length > MAX_TOKEN_LENGTH) return unauthenticated('The token is too long.');
      const key = createHash('sha256').update(token).digest('base64');
      const known = recent.get(key);
      if (known && vouchesFor(known)) return stillGood(known);
      const actor = await verifyAnew(token);
      if (actor.ok) recent.add(key, actor.value);
      return actor;
    },
  };
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
  { issuer, audience, defaultTenant }: Pick<VerifierOptions, 'issuer' | 'audience' | 'defaultTenant'> = {},
): Issuer => {
  const rules = rulesOf({ issuer, audience }, [algorithmOf(key)]);
  const check: Check = async (token) => ({ claims: (await jwtVerify(token, key, rules)).payload });
  const vouchesFor = (): boolean => true;
  const nothing = (): void => undefined;
  const verifier = remembering({ check, vouchesFor, defaultTenant });
  return { ...verifier, vouchesFor, onChange: () => nothing, stop: nothing };
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

const issuerWithKeys = (jwksUrl: string, options: VerifierOptions): Issuer => {
  const bounds = { ...KEY_BOUNDS, ...options.keyBounds };
  const keys = new IssuerKeys({ url: jwksUrl, bounds, report: options.report ?? (() => undefined) });
  const vouchesFor = ({ keyId }: Actor): boolean => keyId !== undefined && keys.has(keyId);
  const check = checkingWith(keys, rulesOf(options, Object.values(ALGORITHMS)));
  return {
    ...remembering({
      check,
      vouchesFor: (actor) => keys.areUsable && vouchesFor(actor),
      defaultTenant: options.defaultTenant,
    }),
    vouchesFor,
    onChange: (listener) => keys.onChange(listener),
    stop: () => keys.stop(),
  };
};

/** Throws on settings that can verify nothing; what is wrong with a token is a refusal. */
export const verifierFrom = (options: VerifierOptions): Issuer => {
  const { publicKey, jwksUrl } = options;
  if (publicKey !== undefined) return verifierWithKey(publicKeyFrom(publicKey), options);
  if (jwksUrl === undefined)
    throw new Error('Tokens need a key set address or a public key to be checked with.');
  return issuerWithKeys(jwksUrl, options);
};
