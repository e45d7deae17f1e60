/** Says who is calling: one subject in one tenant, with roles and groups, as a verified token names them. */
import { isPrintableId, ok, refuse } from '@triptych/protocol';
import type { Result, TrailVia } from '@triptych/protocol';

export const ROLES = ['customer', 'reviewer', 'supervisor', 'operator', 'auditor', 'admin', 'agent'] as const;
export type Role = (typeof ROLES)[number];

/** Brings the calls of people from elsewhere; no token can name it. */
export const BRIDGE = 'bridge';
/** Whoever has a row in the table of capabilities. */
export type Principal = Role | typeof BRIDGE;

/** How a call came in: for the trail; of judgement, only whether a bridge brought it. */
export interface Passage {
  readonly via: TrailVia;
  readonly requestId?: string;
  readonly ip?: string;
  readonly ua?: string;
}

export interface Actor {
  readonly subject: string;
  readonly tenant: string;
  readonly roles: readonly Role[];
  readonly groups: readonly string[];
  readonly name?: string;
  /** The token's `jti`, by which it can be revoked. */
  readonly tokenId?: string;
  /** The key that the token was signed with, where the issuer may withdraw it. */
  readonly keyId?: string;
  /** Unix milliseconds; when the token does not say, the earliest it can have been. */
  readonly issuedAt: number;
  /** Unix milliseconds; never more than {@link MAX_TOKEN_LIFE_MS} after the issue. */
  readonly expiresAt: number;
  readonly through?: Passage;
}

/** The same person, as if they had this role not. */
export const withoutRole = (actor: Actor, without: Role): Actor => ({
  ...actor,
  roles: actor.roles.filter((role) => role !== without),
});

export interface ClaimOptions {
  /** Unix milliseconds. */
  readonly now: number;
  /** Taken when the token names no tenant; without it such a token is refused. */
  readonly defaultTenant?: string;
}

/** 400 days: a year's token, renewed late. What is revoked is remembered for as long. */
export const MAX_TOKEN_LIFE_MS = 400 * 24 * 60 * 60 * 1000;
/** A name longer than this is no name to put on a screen. */
const MAX_NAME_LENGTH = 200;
const MS_PER_SECOND = 1000;

const unauthenticated = (message: string) => refuse('UNAUTHENTICATED', { message });
const isRole = (value: unknown): value is Role => (ROLES as readonly unknown[]).includes(value);
const strings = (value: unknown): string[] =>
  Array.isArray(value) ? [...new Set(value.filter((item) => typeof item === 'string'))] : [];
const seconds = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value * MS_PER_SECOND : undefined;

/** ACC-2: an unknown role is no role, and `agent` excludes every other. */
const rolesFrom = (value: unknown): readonly Role[] => {
  const roles = strings(value).filter(isRole);
  return roles.includes('agent') ? ['agent'] : roles;
};

const optionalTexts = (claims: Readonly<Record<string, unknown>>) => ({
  ...(typeof claims['name'] === 'string' && claims['name'] !== ''
    ? { name: claims['name'].slice(0, MAX_NAME_LENGTH) }
    : {}),
  ...(typeof claims['jti'] === 'string' ? { tokenId: claims['jti'] } : {}),
});

/** ACC-51: a token that outlived the memory of its revocation would come back to life. */
const timesFrom = (
  issued: number | undefined,
  { expires, now }: { readonly expires: number; readonly now: number },
): Result<Pick<Actor, 'issuedAt' | 'expiresAt'>> => {
  const issuedAt = issued ?? Math.max(0, expires - MAX_TOKEN_LIFE_MS);
  if (issued === undefined && issuedAt > now)
    return unauthenticated('The token does not say when it was issued, and lives too long.');
  return ok({ issuedAt, expiresAt: Math.min(expires, issuedAt + MAX_TOKEN_LIFE_MS) });
};

/** Reads the claims of a token whose signature has been checked. */
export const actorFromClaims = (claims: unknown, { defaultTenant, now }: ClaimOptions): Result<Actor> => {
  if (typeof claims !== 'object' || claims === null || Array.isArray(claims))
    return unauthenticated('The token carries no claims.');
  const given = claims as Readonly<Record<string, unknown>>;
  const tenant = given['tenant'] ?? defaultTenant;
  const expires = seconds(given['exp']);
  if (!isPrintableId(given['sub'])) return unauthenticated('The token names no subject.');
  if (!isPrintableId(tenant)) return unauthenticated('The token names no tenant.');
  if (expires === undefined) return unauthenticated('The token has no expiry.');
  const times = timesFrom(seconds(given['iat']), { expires, now });
  if (!times.ok) return times;
  return ok({
    subject: given['sub'],
    tenant,
    roles: rolesFrom(given['roles']),
    groups: strings(given['groups']),
    ...optionalTexts(given),
    ...times.value,
  });
};
