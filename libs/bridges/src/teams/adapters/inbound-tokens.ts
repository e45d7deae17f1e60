/** Finds out whether an activity comes from Teams and is for us, in the order the rules name. */
import { errors, jwtVerify } from 'jose';
import { ok, refuse, type Result } from '@triptych/protocol';
import { type Activity, readActivity } from '../core/activity.js';
import {
  type Doubt,
  judgeActivity,
  refusalOfDoubt,
  type TeamsTerms,
  type Vouched,
} from '../core/judge-inbound.js';
import { type TeamsKeys, TeamsKeysAway } from './teams-keys.js';

export const CONNECTOR_ISSUER = 'https://api.botframework.com';
/** Clocks of Microsoft and of a hub differ by as much as that, as documented. */
const SKEW_S = 300;
/** A longer token is no token. */
const MAX_TOKEN_LENGTH = 16 * 1024;
const BEARER = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/iu;
/** When the keys may be there again. */
const KEYS_RETRY_MS = 5_000;

const CLAIMS: Readonly<Record<string, Doubt>> = { iss: 'issuer', aud: 'audience' };

/** undefined: it is not the token's fault. */
const doubtOf = (failure: unknown): Doubt | undefined => {
  if (failure instanceof errors.JOSEAlgNotAllowed) return 'algorithm';
  if (failure instanceof errors.JWKSNoMatchingKey) return 'key';
  if (failure instanceof errors.JWSSignatureVerificationFailed) return 'signature';
  if (failure instanceof errors.JWTExpired) return 'time';
  if (failure instanceof errors.JWTClaimValidationFailed) return CLAIMS[failure.claim] ?? 'time';
  return failure instanceof errors.JOSEError ? 'bearer' : undefined;
};

const away = (): Result<never> =>
  refuse('INTERNAL', {
    message: 'The keys of Teams could not be fetched.',
    retryAfterMs: KEYS_RETRY_MS,
  });

export interface InboundOptions {
  readonly keys: TeamsKeys;
  readonly terms: TeamsTerms;
  readonly now: () => number;
}

export class InboundTokens {
  constructor(private readonly options: InboundOptions) {}

  /** The activity, if there is no doubt about it; its bytes are looked at only once the token is good. */
  async read(authorization: string | undefined, body: () => Result<unknown>): Promise<Result<Activity>> {
    const vouched = await this.vouch(authorization);
    if (!vouched.ok) return vouched;
    const raw = body();
    if (!raw.ok) return raw;
    const activity = readActivity(raw.value);
    if (!activity.ok) return activity;
    const doubt = judgeActivity(vouched.value, activity.value, this.options.terms);
    return doubt === undefined ? activity : refusalOfDoubt(doubt);
  }

  private async vouch(authorization: string | undefined): Promise<Result<Vouched>> {
    const token = BEARER.exec(authorization ?? '')?.[1];
    if (token === undefined || token.length > MAX_TOKEN_LENGTH) return refusalOfDoubt('bearer');
    const { keys, terms, now } = this.options;
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys.find, {
        algorithms: ['RS256'],
        issuer: CONNECTOR_ISSUER,
        audience: terms.appId,
        clockTolerance: SKEW_S,
        currentDate: new Date(now()),
        requiredClaims: ['exp'],
      });
      const { serviceurl } = payload;
      return ok({
        endorsements: keys.endorsementsOf(protectedHeader.kid),
        serviceUrl: typeof serviceurl === 'string' ? serviceurl : undefined,
      });
    } catch (failure) {
      if (failure instanceof TeamsKeysAway) return away();
      const doubt = doubtOf(failure);
      if (doubt === undefined) throw failure;
      return refusalOfDoubt(doubt);
    }
  }
}
