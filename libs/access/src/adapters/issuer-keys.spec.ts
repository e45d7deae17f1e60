import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { verifies } from '../../../../test/spec/verifies.js';
import { KEY_BOUNDS, type KeyBounds } from './issuer-keys.js';
import { type Issuer, verifierFrom } from './jose-tokens.js';

interface SigningKey {
  readonly jwk: JWK;
  sign(subject?: string): Promise<string>;
}

const newKey = async (kid?: string): Promise<SigningKey> => {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
  const named = kid === undefined ? {} : { kid };
  return {
    jwk: { ...(await exportJWK(publicKey)), ...named, alg: 'EdDSA', use: 'sig' },
    sign: (subject = 'ada') =>
      new SignJWT({ tenant: 'acme', roles: [] })
        .setProtectedHeader({ alg: 'EdDSA', ...named })
        .setSubject(subject)
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(privateKey),
  };
};

/** An issuer's key set, which a test may change or take away. */
const published = { keys: [] as readonly JWK[], away: false, fetches: 0 };
let server: Server;
beforeAll(async () => {
  server = createServer((_request, response) => {
    published.fetches += 1;
    response.statusCode = published.away ? 503 : 200;
    response.end(JSON.stringify({ keys: published.keys }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const opened: Issuer[] = [];
afterEach(() => {
  for (const issuer of opened.splice(0)) issuer.stop();
});

const publish = (...keys: readonly SigningKey[]): void => {
  Object.assign(published, { keys: keys.map(({ jwk }) => jwk), away: false, fetches: 0 });
};

const issuerWith = (keyBounds: Partial<KeyBounds> = {}, report?: () => void): Issuer => {
  const jwksUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
  const issuer = verifierFrom({ jwksUrl, keyBounds, ...(report && { report }) });
  opened.push(issuer);
  return issuer;
};

const codeOf = async (issuer: Issuer, token: string): Promise<string> => {
  const actor = await issuer.verify(token);
  return actor.ok ? 'ok' : actor.refusal.code;
};

const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await pause(10);
};

describe('a key that the issuer has just begun to use', () => {
  verifies(
    'ACC-52',
    'is known by the time its first token is judged, however lately keys were fetched',
    async () => {
      const [one, two, three] = [await newKey('k1'), await newKey('k2'), await newKey('k3')];
      publish(one);
      const issuer = issuerWith();
      expect(await codeOf(issuer, await one.sign())).toBe('ok');
      publish(one, two);
      expect(await codeOf(issuer, await two.sign())).toBe('ok');
      publish(two, three);
      const tokens = await Promise.all(['a', 'b', 'c'].map((subject) => three.sign(subject)));
      expect(await Promise.all(tokens.map((token) => codeOf(issuer, token)))).toEqual(['ok', 'ok', 'ok']);
      expect(published.fetches).toBe(1);
    },
  );

  verifies('ACC-52', 'is known under a name that another had, and without one', async () => {
    for (const kid of ['same', undefined]) {
      const [one, two] = [await newKey(kid), await newKey(kid)];
      publish(one);
      const issuer = issuerWith({ cooldownMs: 50 });
      expect(await codeOf(issuer, await one.sign())).toBe('ok');
      publish(two);
      expect(await codeOf(issuer, await two.sign())).toBe('ok');
      expect(await codeOf(issuer, await one.sign())).toBe('UNAUTHENTICATED');
    }
  });

  verifies('ACC-52', 'is found among others that have no name either', async () => {
    const [one, two, stranger] = [await newKey(), await newKey(), await newKey()];
    publish(one);
    const issuer = issuerWith({ cooldownMs: 50 });
    expect(await codeOf(issuer, await one.sign())).toBe('ok');
    publish(one, two);
    for (const key of [two, one]) expect(await codeOf(issuer, await key.sign('ben'))).toBe('ok');
    expect(await codeOf(issuer, await stranger.sign())).toBe('UNAUTHENTICATED');
  });

  verifies('ACC-52', 'is fetched no more often than allowed, whatever tokens come', async () => {
    const [known, stranger] = [await newKey('k1'), await newKey('k9')];
    publish(known);
    const cooldownMs = 100;
    const issuer = issuerWith({ cooldownMs });
    const strange = await Promise.all(Array.from({ length: 300 }, (_, nth) => stranger.sign(`s${nth}`)));
    const began = Date.now();
    for (let nth = 0; nth < strange.length; nth += 30) {
      const some = strange.slice(nth, nth + 30);
      const codes = await Promise.all(some.map((token) => codeOf(issuer, token)));
      expect(new Set(codes)).toEqual(new Set(['UNAUTHENTICATED']));
    }
    expect(await codeOf(issuer, await known.sign())).toBe('ok');
    const allowed = 1 + Math.ceil((Date.now() - began) / cooldownMs);
    expect(published.fetches).toBeLessThanOrEqual(allowed);
    published.away = true;
    const codes = await Promise.all(strange.map((token) => codeOf(issuer, token)));
    expect(new Set(codes)).toEqual(new Set(['INTERNAL']));
    expect(published.fetches).toBeLessThanOrEqual(1 + Math.ceil((Date.now() - began) / cooldownMs));
  });
});

describe('a key that the issuer withdrew', () => {
  verifies('ACC-53', 'is good for nothing after the next fetch, remembered tokens included', async () => {
    const [one, two] = [await newKey('k1'), await newKey('k2')];
    publish(one, two);
    const issuer = issuerWith({ refreshMs: 100, cooldownMs: 20 });
    let changes = 0;
    issuer.onChange(() => (changes += 1));
    const [old, other] = [await one.sign(), await two.sign()];
    const [actor, staying] = [await issuer.verify(old), await issuer.verify(other)];
    if (!actor.ok || !staying.ok) throw new Error('both keys are good');
    expect([issuer.vouchesFor(actor.value), changes]).toEqual([true, 1]);
    publish(two);
    await until(async () => (await codeOf(issuer, old)) === 'UNAUTHENTICATED');
    expect(issuer.vouchesFor(actor.value)).toBe(false);
    expect([issuer.vouchesFor(staying.value), await codeOf(issuer, other)]).toEqual([true, 'ok']);
    expect(changes).toBe(2);
  });

  verifies(
    'ACC-53',
    'is looked for every 30 s, and an issuer that is away believed for an hour',
    async () => {
      expect(KEY_BOUNDS).toEqual({ refreshMs: 30_000, keptMs: 3_600_000, cooldownMs: 1_000 });
      const one = await newKey('k1');
      publish(one);
      let failures = 0;
      const patient = issuerWith({ refreshMs: 50, cooldownMs: 20 }, () => (failures += 1));
      const strict = issuerWith({ refreshMs: 50, keptMs: 300, cooldownMs: 20 });
      const token = await one.sign();
      for (const issuer of [patient, strict]) expect(await codeOf(issuer, token)).toBe('ok');
      published.away = true;
      await until(async () => (await codeOf(strict, token)) === 'INTERNAL');
      expect(failures).toBeGreaterThan(0);
      // By what is remembered and by what is checked anew.
      for (const each of [token, await one.sign('ben')]) expect(await codeOf(patient, each)).toBe('ok');
      published.away = false;
      await until(async () => (await codeOf(strict, token)) === 'ok');
    },
  );
});
