/** Signs with the deployment's Ed25519 key and publishes its public half; keys that were retired stay published. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Redis } from 'ioredis';
import { calculateJwkThumbprint, CompactSign } from 'jose';
import type { Signer } from '../core/signer.js';
import { storeCall } from '../core/store-away.js';
import { ensureSecret } from './secrets.js';

/** Public keys by `kid`; one a rotation, and none ever goes: what it signed must stay verifiable. */
const PUBLISHED = 'tt:signing:public';
const SECRET = 'signing-key';

export interface PublicKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
}

/** What stands in the way of a start. */
export class SigningKeyUnusable extends Error {}

const newKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();

const privateKeyIn = (pem: string): KeyObject | undefined => {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    // Of a text that is no key there is nothing more to say, and it may be a secret.
    return undefined;
  }
};

const keyInFile = async (file: string): Promise<KeyObject> => {
  const pem = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new SigningKeyUnusable(`cannot be read (${error.code ?? 'unknown reason'})`);
  });
  const key = privateKeyIn(pem);
  if (!key) throw new SigningKeyUnusable('holds no private Ed25519 key as PEM (PKCS#8)');
  return key;
};

const keyInStore = async (redis: Redis): Promise<KeyObject> =>
  createPrivateKey(await ensureSecret(redis, SECRET, newKey));

const publicHalf = async (key: KeyObject): Promise<PublicKey> => {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  const jwk = { kty: 'OKP', crv: 'Ed25519', x } as const;
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'EdDSA', use: 'sig' };
};

/** Every key that ever signed on this store. */
export const publishedKeys = async (redis: Redis): Promise<readonly PublicKey[]> => {
  const kept = await storeCall(redis.hgetall(PUBLISHED));
  return Object.keys(kept)
    .toSorted()
    .map((kid) => JSON.parse(kept[kid] ?? '') as PublicKey);
};

export class SigningKey implements Signer {
  private constructor(
    private readonly redis: Redis,
    private readonly key: KeyObject,
    private readonly publicKey: PublicKey,
  ) {}

  /** Without a file the key is made once and kept in Redis, the same for every process on it. Rejects with SigningKeyUnusable. */
  static async open(redis: Redis, file?: string): Promise<SigningKey> {
    const key = file === undefined ? await keyInStore(redis) : await keyInFile(file);
    const opened = new SigningKey(redis, key, await publicHalf(key));
    await storeCall(redis.hset(PUBLISHED, opened.kid, JSON.stringify(opened.publicKey)));
    return opened;
  }

  get kid(): string {
    return this.publicKey.kid;
  }

  async sign(text: string): Promise<string> {
    const whole = await new CompactSign(new TextEncoder().encode(text))
      .setProtectedHeader({ alg: 'EdDSA', kid: this.kid })
      .sign(this.key);
    const [header = '', , signature = ''] = whole.split('.');
    return `${header}..${signature}`;
  }

  /** The current key first, whatever the store has kept. */
  async published(): Promise<readonly PublicKey[]> {
    const kept = await publishedKeys(this.redis);
    return [this.publicKey, ...kept.filter(({ kid }) => kid !== this.kid)];
  }
}
