/** Proves the product with a real issuer: keys that rotate while sockets are open. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { SUBPROTOCOL } from '@triptych/protocol';
import { Product } from '@triptych/testkit';
import { verifies } from '../spec/verifies.js';
import { openSocket } from './open-lines.js';

const JOURNEY_MS = 120_000;
const ISSUER = 'https://issuer.example';

interface SigningKey {
  readonly jwk: JWK;
  sign(sub: string): Promise<string>;
}

const newKey = async (kid: string): Promise<SigningKey> => {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  return {
    jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256' },
    sign: (sub) =>
      new SignJWT({ tenant: 'acme', roles: ['customer'] })
        .setProtectedHeader({ alg: 'ES256', kid })
        .setSubject(sub)
        .setIssuer(ISSUER)
        .setAudience('hub')
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(privateKey),
  };
};

let keys: readonly JWK[] = [];
let issuer: Server;
let product: Product;
beforeAll(async () => {
  issuer = createServer((_request, response) => response.end(JSON.stringify({ keys })));
  issuer.listen(0, '127.0.0.1');
  await once(issuer, 'listening');
  product = await Product.start({
    AUTH_MODE: 'jwt',
    AUTH_JWKS_URL: `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/jwks`,
    AUTH_ISSUER: ISSUER,
    AUTH_AUDIENCE: 'hub',
    HUB_SECRET: randomBytes(32).toString('base64'),
  });
}, JOURNEY_MS);
afterAll(async () => {
  await product?.stop();
  issuer.closeAllConnections();
  issuer.close();
}, JOURNEY_MS);

const socketOf = (token: string) =>
  openSocket(`${product.url}/ws/customer`, [SUBPROTOCOL, `bearer.${token}`]);

const statusOf = async (token: string): Promise<number> =>
  (await product.fetch('/v1/threads', { token })).status;

describe('an issuer that rotates its keys', () => {
  verifies(
    'HUB-74',
    'has new ones taken at once, and closes what withdrawn ones opened',
    async () => {
      const [old, next, last] = [await newKey('k1'), await newKey('k2'), await newKey('k3')];
      keys = [old.jwk];
      const token = await old.sign('ada');
      const socket = await socketOf(token);
      const { ticket } = await product.json<{ ticket: string }>('/v1/tickets', {
        token,
        body: { surface: 'customer' },
      });

      keys = [old.jwk, next.jwk];
      const renewed = await next.sign('ada');
      expect([await statusOf(renewed), await statusOf(token), socket.isOpen()]).toEqual([200, 200, true]);
      const other = await socketOf(await next.sign('ben'));

      keys = [next.jwk, last.jwk];
      expect(await statusOf(await last.sign('ada'))).toBe(200);
      expect(await socket.end).toBe(4401);
      expect(await statusOf(token)).toBe(401);
      const byTicket = openSocket(`${product.url}/ws/customer?ticket=${ticket}`, [SUBPROTOCOL]);
      await expect(byTicket).rejects.toThrow(/401/u);
      expect([other.isOpen(), await statusOf(renewed)]).toEqual([true, 200]);
    },
    JOURNEY_MS,
  );
});
