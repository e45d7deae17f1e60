/** Proves the product with a real issuer: keys that rotate while sockets are open. */
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { SUBPROTOCOL } from '@triptych/protocol';
import { Product } from '@triptych/testkit';
import { Webhook } from 'standardwebhooks';
import { verifies } from '../spec/verifies.js';
import { openSocket } from './open-lines.js';

const JOURNEY_MS = 120_000;
const ISSUER = 'https://issuer.example';
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const BRIDGES = `
keys: [{ id: crm, tenant: acme, secrets: ['${SECRET}'] }]
people:
  - { subject: rita, tenant: acme, roles: [reviewer], linked: [{ kind: webhook, id: 'crm:u-rita' }] }
`;

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
let dir: string;
beforeAll(async () => {
  issuer = createServer((_request, response) => response.end(JSON.stringify({ keys })));
  issuer.listen(0, '127.0.0.1');
  await once(issuer, 'listening');
  dir = mkdtempSync(join(tmpdir(), 'triptych-rotated-'));
  writeFileSync(join(dir, 'bridges.yaml'), BRIDGES);
  product = await Product.start({
    BRIDGES_FILE: join(dir, 'bridges.yaml'),
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
  rmSync(dir, { recursive: true, force: true });
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

describe('somebody a bridge speaks for', () => {
  verifies(
    'BRG-14',
    'came with no token of the issuer, and is not asked for one: what is looked for is not there, no more',
    async () => {
      const body = JSON.stringify({
        taskId: 'none.none.none',
        rev: 1,
        verb: 'approve',
        proposalHash: 'none',
        onBehalfOf: 'u-rita',
      });
      const [id, now] = [randomUUID(), new Date()];
      const response = await fetch(`${product.url}/v1/bridges/decisions`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
          'webhook-signature': new Webhook(SECRET).sign(id, now, body),
        },
        body,
      });
      expect(await response.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
    },
    JOURNEY_MS,
  );
});
