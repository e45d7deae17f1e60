/** Proves which key signs, and that what it signed is verified by the published keys alone. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeRedis, connectRedis, createLog } from '@triptych/platform';
import { createLocalJWKSet, flattenedVerify } from 'jose';
import type { Redis } from 'ioredis';
import { ownDatabase } from '@triptych/testkit';
import { verifies } from '../../../../test/spec/verifies.js';
import { SigningKey, SigningKeyUnusable, type PublicKey } from './signing-key.js';

/** What is published is a matter of the whole store. */
const DATABASE = ownDatabase();
const TEXT = '{"amount":12,"who":"Zoë"}';

let redis: Redis;
let folder: string;
beforeAll(async () => {
  redis = await connectRedis(`${process.env['REDIS_URL']}/${DATABASE}`, 'commands', {
    log: createLog({ level: 'silent' }),
  });
  folder = mkdtempSync(join(tmpdir(), 'triptych-keys-'));
});
beforeEach(() => redis.flushdb());
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await closeRedis(redis);
});

const inFile = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

const pemOf = (kind: 'ed25519' | 'x25519'): string =>
  generateKeyPairSync(kind as 'ed25519')
    .privateKey.export({ format: 'pem', type: 'pkcs8' })
    .toString();

/** As anybody would who has the keys, the text and the signature. */
const isBy = async (keys: readonly PublicKey[], text: string, jws: string): Promise<boolean> => {
  const [head = '', , signature = ''] = jws.split('.');
  const payload = Buffer.from(text).toString('base64url');
  const whole = { protected: head, payload, signature };
  return flattenedVerify(whole, createLocalJWKSet({ keys: [...keys] })).then(
    () => true,
    () => false,
  );
};

describe('the signing key', () => {
  verifies('AUD-13', 'is made once where none is given, and is the same for every process', async () => {
    const [one, two] = await Promise.all([SigningKey.open(redis), SigningKey.open(redis)]);
    expect(one.kid).toBe(two.kid);
    const jws = await one.sign(TEXT);
    expect(await isBy(await two.published(), TEXT, jws)).toBe(true);
    expect(await isBy(await two.published(), `${TEXT} `, jws)).toBe(false);
    expect(jws.split('.')[1]).toBe('');
  });

  verifies('AUD-13', 'is the one in the file where one is given', async () => {
    const file = inFile('good.pem', pemOf('ed25519'));
    const [given, again, made] = [
      await SigningKey.open(redis, file),
      await SigningKey.open(redis, file),
      await SigningKey.open(redis),
    ];
    expect([again.kid, made.kid === given.kid]).toEqual([given.kid, false]);
    const header = JSON.parse(Buffer.from((await given.sign(TEXT)).split('.')[0]!, 'base64url').toString());
    expect(header).toEqual({ alg: 'EdDSA', kid: given.kid });
  });

  verifies(
    'AUD-13',
    'is never guessed: a file that holds none is refused without being repeated',
    async () => {
      const files = [
        join(folder, 'missing.pem'),
        inFile('text.pem', 'sesame'),
        inFile('other.pem', pemOf('x25519')),
        inFile(
          'public.pem',
          generateKeyPairSync('ed25519').publicKey.export({ format: 'pem', type: 'spki' }).toString(),
        ),
      ];
      for (const file of files) {
        const refused = await SigningKey.open(redis, file).catch((error: unknown) => error as Error);
        expect(refused).toBeInstanceOf(SigningKeyUnusable);
        expect((refused as Error).message).not.toContain('sesame');
      }
      expect(await redis.dbsize()).toBe(0);
    },
  );

  verifies(
    'AUD-14',
    'stays published when another takes its place, and never shows its private half',
    async () => {
      const first = await SigningKey.open(redis, inFile('first.pem', pemOf('ed25519')));
      const jws = await first.sign(TEXT);
      const second = await SigningKey.open(redis, inFile('second.pem', pemOf('ed25519')));
      const keys = await second.published();
      expect(keys.map(({ kid }) => kid)).toEqual([second.kid, first.kid]);
      expect(await isBy(keys, TEXT, jws)).toBe(true);
      expect(await isBy(keys.slice(0, 1), TEXT, jws)).toBe(false);
      for (const key of keys)
        expect(Object.keys(key).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
    },
  );

  verifies('AUD-14', 'is published by whoever signs with it, also when the store has forgotten', async () => {
    const key = await SigningKey.open(redis, inFile('kept.pem', pemOf('ed25519')));
    await redis.flushdb();
    expect((await key.published()).map(({ kid }) => kid)).toEqual([key.kid]);
  });
});
