import { verifies } from '../../../../test/spec/verifies.js';
import { type Actor, MAX_TOKEN_LIFE_MS } from './actor.js';
import { MAX_REVOCATIONS, type Revocation, Revocations, type RevokedName } from './revocations.js';

const ADA: Actor = {
  subject: 'ada',
  tenant: 'acme',
  roles: ['reviewer', 'supervisor'],
  groups: [],
  tokenId: 'j1',
  issuedAt: 1_000,
  expiresAt: 9_000,
};

const revoked = (by: Revocation['by'], name: string, more: Partial<Revocation> = {}): Revocation => ({
  tenant: 'acme',
  by,
  name,
  at: 1_000,
  ...more,
});

const after = (...revocations: readonly Revocation[]): Revocations => {
  const all = new Revocations();
  for (const each of revocations) all.note(each);
  return all;
};

describe('what was revoked', () => {
  verifies('ACC-50', 'reaches a token by its id or its subject', () => {
    for (const gone of [revoked('jti', 'j1'), revoked('sub', 'ada')])
      expect(after(gone).judge(ADA)).toMatchObject({
        ok: false,
        refusal: { code: 'UNAUTHENTICATED', next: 'reauth' },
      });
  });

  verifies('ACC-50', 'takes a role, and leaves the rest', () => {
    const both = after(revoked('role', 'reviewer'));
    expect(both.judge(ADA)).toMatchObject({ ok: true, value: { ...ADA, roles: ['supervisor'] } });
    both.note(revoked('role', 'supervisor', { at: 1_001 }));
    expect(both.judge(ADA)).toMatchObject({ ok: true, value: { roles: [] } });
  });

  verifies('ACC-50', 'reaches no other tenant, no other name, and nothing issued later', () => {
    const all = after(
      revoked('sub', 'ada', { tenant: 'other' }),
      revoked('jti', 'ada'),
      revoked('sub', 'j1'),
      revoked('role', 'ada'),
      revoked('sub', 'reviewer'),
      revoked('jti', 'j1', { at: 999 }),
      revoked('sub', 'ada', { at: 999 }),
      revoked('role', 'reviewer', { at: 999 }),
    );
    const judged = all.judge(ADA);
    expect(judged.ok && judged.value).toBe(ADA);
    const { tokenId: _none, ...nameless } = ADA;
    expect(after(revoked('jti', 'undefined')).judge(nameless)).toMatchObject({ ok: true });
  });

  it('is the latest word on each name, in whatever order it is heard', () => {
    const all = after(revoked('sub', 'ada', { at: 2_000 }));
    expect(all.note(revoked('sub', 'ada', { at: 2_000 }))).toBe(false);
    expect(all.note(revoked('sub', 'ada', { at: 1_500 }))).toBe(false);
    expect(all.all()).toEqual([revoked('sub', 'ada', { at: 2_000 })]);
    expect(all.note(revoked('sub', 'ada', { at: 2_001 }))).toBe(true);
    expect(all.all()).toHaveLength(1);
  });

  verifies('ACC-51', 'is remembered as long as a token it reaches can be good', () => {
    const all = after(revoked('sub', 'ada'), revoked('sub', 'ben', { at: 2_000 }));
    all.forget(1_000 + MAX_TOKEN_LIFE_MS);
    expect(all.judge(ADA).ok).toBe(false);
    all.forget(1_001 + MAX_TOKEN_LIFE_MS);
    expect(all.judge(ADA).ok).toBe(true);
    expect(all.all()).toEqual([revoked('sub', 'ben', { at: 2_000 })]);
  });

  verifies('ACC-51', 'is no more than a hub can hold, of each tenant', () => {
    const all = new Revocations();
    const one: RevokedName = { tenant: 'acme', by: 'jti', name: 'j0' };
    for (let nth = 0; nth < MAX_REVOCATIONS; nth++) {
      expect(nth % 1_000 !== 0 || all.hasRoomFor({ ...one, name: `j${nth}` })).toBe(true);
      all.note(revoked('jti', `j${nth}`, { at: nth + 1 }));
    }
    expect(all.hasRoomFor({ ...one, name: 'one-more' })).toBe(false);
    expect(all.hasRoomFor({ ...one, by: 'sub' })).toBe(false);
    expect(all.hasRoomFor(one)).toBe(true);
    expect(all.hasRoomFor({ ...one, tenant: 'other' })).toBe(true);
  });
});
