import { verifies } from '../../../../test/spec/verifies.js';
import { actorFromClaims } from './actor.js';

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
