import { createHmac, generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';
import type { JWK } from 'jose';
import { verifies } from '../../../../test/spec/verifies.js';
import { devTokens, newDevKey } from './dev-tokens.js';
import { verifierFrom } from './jose-tokens.js';
import { recentTokens } from './recent-tokens.js';

const inAnHour = Math.floor(Date.now() / 1000) + 3600;
const CLAIMS = {
  sub: 'ada',
  tenant: 'acme',
  roles: ['reviewer'],
  groups: [],
  exp: inAnHour,
  iss: 'https://issuer',
  aud: 'hub',
};
const keys = async (alg: 'ES256' | 'RS256' | 'EdDSA' | 'ES384') => {
  const pair = await generateKeyPair(alg, { extractable: true });
  return {
    ...pair,
    pem: await exportSPKI(pair.publicKey),
    sign: (claims: object, header: object = {}) =>
      new SignJWT({ ...claims }).setProtectedHeader({ alg, ...header }).sign(pair.privateKey),
  };
};
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a token of an issuer', () => {
  it.each(['ES256', 'RS256', 'EdDSA'] as const)('signed with %s is taken', async (alg) => {
    const { pem, sign } = await keys(alg);
    const verifier = verifierFrom({ publicKey: pem, issuer: 'https://issuer', audience: 'hub' });
    expect(await verifier.verify(await sign(CLAIMS))).toMatchObject({
      ok: true,
      value: { subject: 'ada', tenant: 'acme', expiresAt: inAnHour * 1000 },
    });
  });

  verifies(
    'ACC-15',
    'is refused for every other algorithm, key, issuer, audience and time, and never repeated',
    async () => {
      const [mine, other] = [await keys('ES256'), await keys('ES256')];
      const rsa = await keys('RS256');
      const verifier = verifierFrom({ publicKey: mine.pem, issuer: 'https://issuer', audience: 'hub' });
      const unsigned = `${encode({ alg: 'none' })}.${encode(CLAIMS)}.`;
      const body = `${encode({ alg: 'HS256' })}.${encode(CLAIMS)}`;
      const macWithPublicKey = `${body}.${createHmac('sha256', mine.pem).update(body).digest('base64url')}`;
      const { exp: _exp, ...endless } = CLAIMS;
      const bad = [
        unsigned,
        macWithPublicKey,
        '',
        'x',
        'a.b.c',
        `${await mine.sign(CLAIMS)}x`,
        'x'.repeat(20_000),
        await other.sign(CLAIMS),
        await rsa.sign(CLAIMS),
        await mine.sign({ ...CLAIMS, iss: 'https://else' }),
        await mine.sign({ ...CLAIMS, aud: 'else' }),
        await mine.sign({ ...CLAIMS, exp: 1000 }),
        await mine.sign(endless),
        await mine.sign({ ...CLAIMS, nbf: inAnHour }),
        await mine.sign({ ...CLAIMS, tenant: undefined }),
        await mine.sign({ ...CLAIMS, sub: undefined }),
        await mine.sign({ ...CLAIMS, exp: Math.floor(Date.now() / 1000) - 1 }),
      ];
      for (const token of bad) {
        const answer = await verifier.verify(token);
        expect(answer).toMatchObject({ ok: false, refusal: { code: 'UNAUTHENTICATED' } });
        if (token.length > 5) expect(JSON.stringify(answer)).not.toContain(token.slice(0, 20));
        expect(JSON.stringify(answer)).not.toContain('ada');
      }
    },
  );

  it('is checked against the issuer’s key set, whose absence is not the token’s fault', async () => {
    const mine = await keys('ES256');
    const jwk: JWK = { ...(await exportJWK(mine.publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' };
    let up = true;
    const server = createServer((_request, response) => {
      response.statusCode = up ? 200 : 500;
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const jwksUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
    const verifier = verifierFrom({ jwksUrl, defaultTenant: 'main' });
    expect(
      await verifier.verify(await mine.sign({ ...CLAIMS, tenant: undefined }, { kid: 'k1' })),
    ).toMatchObject({ ok: true, value: { tenant: 'main' } });
    expect(await verifier.verify(await mine.sign(CLAIMS, { kid: 'k2' }))).toMatchObject({
      ok: false,
      refusal: { code: 'UNAUTHENTICATED' },
    });
    up = false;
    expect(await verifierFrom({ jwksUrl }).verify(await mine.sign(CLAIMS, { kid: 'k1' }))).toMatchObject({
      ok: false,
      refusal: { code: 'INTERNAL' },
    });
    server.close();
    await once(server, 'close');
    expect(await verifierFrom({ jwksUrl }).verify(await mine.sign(CLAIMS, { kid: 'k1' }))).toMatchObject({
      ok: false,
      refusal: { code: 'INTERNAL' },
    });
  });

  it('cannot be checked with nothing, or with a key too weak', async () => {
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 })
      .publicKey.export({ type: 'spki', format: 'pem' })
      .toString();
    for (const options of [
      {},
      { publicKey: 'x' },
      { publicKey: (await keys('ES384')).pem },
      { publicKey: weak },
    ])
      expect(() => verifierFrom(options)).toThrow();
    const jwk = JSON.stringify(await exportJWK((await keys('EdDSA')).publicKey));
    expect(() => verifierFrom({ publicKey: jwk })).not.toThrow();
  });
});

describe('a development token', () => {
  it('is taken by every hub with the same key, and by no other', async () => {
    const key = JSON.parse(JSON.stringify(newDevKey()));
    const [one, two, stranger] = [devTokens(key), devTokens(key), devTokens(newDevKey())];
    const { token, expiresAt } = await one.sign({
      sub: 'ada',
      roles: ['customer'],
      groups: ['vip'],
      name: 'Ada',
      ttlSeconds: 60,
    });
    expect(expiresAt % 1000).toBe(0);
    expect(await two.verify(token)).toMatchObject({
      ok: true,
      value: {
        subject: 'ada',
        tenant: 'default',
        roles: ['customer'],
        groups: ['vip'],
        name: 'Ada',
        tokenId: expect.any(String),
        expiresAt,
      },
    });
    expect(await stranger.verify(token)).toMatchObject({ ok: false, refusal: { code: 'UNAUTHENTICATED' } });
  });

  verifies('ACC-15', 'that has been verified before still ends at its end', async () => {
    const tokens = devTokens(newDevKey());
    const { token, expiresAt } = await tokens.sign({ sub: 'ada', roles: [], ttlSeconds: 60 });
    expect(await tokens.verify(token)).toMatchObject({ ok: true });
    const later = jest.spyOn(Date, 'now').mockReturnValue(expiresAt);
    const answer = await tokens.verify(token);
    later.mockRestore();
    expect(answer).toMatchObject({
      ok: false,
      refusal: { message: 'The token has expired.' },
    });
  });
});

describe('recent tokens', () => {
  it('are bounded, and the one unused for longest goes first', () => {
    const actor = { subject: 'a', tenant: 't', roles: [], groups: [], issuedAt: 0, expiresAt: 1 };
    const recent = recentTokens(2);
    for (const key of ['1', '2']) recent.add(key, actor);
    recent.get('1');
    recent.add('3', actor);
    expect(['1', '2', '3'].map((key) => recent.get(key) !== undefined)).toEqual([true, false, true]);
  });
});
