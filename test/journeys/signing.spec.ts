/** Proves which key a deployment signs with, and where everybody finds its public half. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, Product } from '@triptych/testkit';
import { calculateJwkThumbprint } from 'jose';
import { verifies } from '../spec/verifies.js';

const JOURNEY_MS = 120_000;
const EX_CONFIG = 78;

let product: Product;
let folder: string;
let publicKey: JsonWebKey;
let file: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'triptych-signing-'));
  file = join(folder, 'key.pem');
  const pair = generateKeyPairSync('ed25519');
  publicKey = pair.publicKey.export({ format: 'jwk' });
  writeFileSync(file, pair.privateKey.export({ format: 'pem', type: 'pkcs8' }));
  product = await Product.start({ SIGNING_KEY_FILE: file });
}, JOURNEY_MS);
afterAll(async () => {
  await product.stop();
  rmSync(folder, { recursive: true });
}, JOURNEY_MS);

/** A process of its own on the product's Redis, until it has said `word` or ended. */
const alone = async (env: Readonly<Record<string, string>>, word: string) => {
  const child = spawn(process.execPath, ['dist/apps/worker/src/main.js'], {
    env: { ...process.env, REDIS_URL: product.redisUrl(), SCRIPTED_AGENT_URL: product.url, ...env },
  });
  const ended = once(child, 'exit');
  let said = '';
  const heard = new Promise<void>((resolve) => {
    const hear = (bytes: unknown): void => {
      said += String(bytes);
      if (said.includes(word)) resolve();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
  });
  await Promise.race([heard, ended]);
  child.kill();
  await ended;
  return { said, code: child.exitCode };
};

verifies(
  'AUD-14',
  'anybody is told the keys, by their thumbprints',
  async () => {
    const response = await product.fetch('/.well-known/jwks.json');
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('application/json'),
    ]);
    const { x = '' } = publicKey;
    const kid = await calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x });
    const key = { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' };
    expect(await response.json()).toEqual({ keys: [key] });
  },
  JOURNEY_MS,
);

verifies(
  'AUD-13',
  'a file without a key stops the start and is named; in jwt mode a key kept in Redis is warned of',
  async () => {
    const bad = join(folder, 'bad.pem');
    writeFileSync(bad, 'sesame');
    const refused = await alone({ SIGNING_KEY_FILE: bad }, 'worker.ready');
    expect(refused.code).toBe(EX_CONFIG);
    expect(refused.said).toContain(`SIGNING_KEY_FILE ${bad} holds no private Ed25519 key`);
    expect(refused.said).not.toContain('sesame');

    const jwt = {
      AUTH_MODE: 'jwt',
      AUTH_JWKS_URL: `http://127.0.0.1:${await freePort()}/keys`,
      AUTH_ISSUER: 'https://login.example.com',
      AUTH_AUDIENCE: 'triptych',
      HUB_SECRET: 'a secret of more than thirty-two characters',
    };
    expect((await alone(jwt, 'worker.ready')).said).toContain('signing-key.kept-in-store');
    const given = await alone({ ...jwt, SIGNING_KEY_FILE: file }, 'worker.ready');
    expect(given.said).not.toContain('signing-key.kept-in-store');
    expect(given.said).toContain('worker.ready');
  },
  JOURNEY_MS,
);
