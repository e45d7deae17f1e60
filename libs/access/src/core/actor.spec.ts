import { verifies } from '../../../../test/spec/verifies.js';
import { actorFromClaims as actorAt, MAX_TOKEN_LIFE_MS, type ClaimOptions } from './actor.js';

const CLAIMS = {
  sub: 'ada',
  tenant: 'acme',
  roles: ['reviewer'],
  groups: ['advisors'],
  name: 'Ada',
  jti: 'j1',
  iat: 100,
  exp: 200,
};

const NOW = 150_000;
const actorFromClaims = (claims: unknown, options: Partial<ClaimOptions> = {}) =>
  actorAt(claims, { now: NOW, ...options });

describe('an actor', () => {
  it('is read from claims', () => {
    expect(actorFromClaims(CLAIMS)).toEqual({
      ok: true,
      value: {
        subject: 'ada',
        tenant: 'acme',
        roles: ['reviewer'],
        groups: ['advisors'],
        name: 'Ada',
        tokenId: 'j1',
        issuedAt: 100_000,
        expiresAt: 200_000,
      },
    });
    expect(actorFromClaims({ sub: 'a', tenant: 't', exp: 1 })).toEqual({
      ok: true,
      value: { subject: 'a', tenant: 't', roles: [], groups: [], issuedAt: 0, expiresAt: 1000 },
    });
  });

  verifies(
    'ACC-1',
    'needs a subject, a tenant and an end; the default tenant counts only where it is set',
    () => {
      for (const claims of [
        null,
        [],
        'x',
        7,
        {},
        { ...CLAIMS, sub: undefined },
        { ...CLAIMS, sub: '' },
        { ...CLAIMS, sub: 7 },
        { ...CLAIMS, sub: 'a\u0000' },
        { ...CLAIMS, tenant: undefined },
        { ...CLAIMS, tenant: 7 },
        { ...CLAIMS, tenant: '' },
        { ...CLAIMS, exp: undefined },
        { ...CLAIMS, exp: '200' },
      ])
        expect(actorFromClaims(claims)).toMatchObject({
          ok: false,
          refusal: { code: 'UNAUTHENTICATED', next: 'reauth' },
        });
      expect(actorFromClaims({ ...CLAIMS, tenant: undefined }, { defaultTenant: 'main' })).toMatchObject({
        ok: true,
        value: { tenant: 'main' },
      });
      expect(actorFromClaims({ ...CLAIMS, tenant: 7 }, { defaultTenant: 'main' })).toMatchObject({
        ok: false,
      });
    },
  );

  verifies('ACC-51', 'is good no longer than a revocation is remembered', () => {
    const times = (claims: object) => {
      const { iat: _iat, exp: _exp, ...rest } = CLAIMS;
      const actor = actorFromClaims({ ...rest, ...claims });
      return actor.ok ? [actor.value.issuedAt, actor.value.expiresAt] : actor.refusal.code;
    };
    const life = MAX_TOKEN_LIFE_MS / 1000;
    expect(times({ iat: 100, exp: 9e9 })).toEqual([100_000, 100_000 + MAX_TOKEN_LIFE_MS]);
    // Without a time of issue it is of the earliest time that it can be of, and that has come.
    expect(times({ exp: 200 })).toEqual([0, 200_000]);
    expect(times({ exp: life + 150 })).toEqual([150_000, 150_000 + MAX_TOKEN_LIFE_MS]);
    expect(times({ exp: life + 151 })).toBe('UNAUTHENTICATED');
  });

  verifies('ACC-2', 'has no role that is unknown, and as an agent no other', () => {
    const roles = (given: unknown) => {
      const actor = actorFromClaims({ ...CLAIMS, roles: given });
      return actor.ok && actor.value.roles;
    };
    expect(roles(['root', 'reviewer', 'reviewer', 7, '__proto__'])).toEqual(['reviewer']);
    expect(roles(['operator', 'agent', 'admin'])).toEqual(['agent']);
    for (const nothing of [undefined, 'operator', { 0: 'operator' }, null])
      expect(roles(nothing)).toEqual([]);
  });
});
