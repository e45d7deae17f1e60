/** Keeps generated secrets in Redis, so that all hubs on it share them. */
import { randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import { storeCall } from '../core/store-away.js';

/** 256 bits: beyond guessing. */
const SECRET_BYTES = 32;
const randomSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** The secret of that name; made by the first caller, the same for everyone after. */
export const ensureSecret = async (redis: Redis, name: string, make = randomSecret): Promise<string> => {
  const key = `tt:secret:${name}`;
  await storeCall(redis.set(key, make(), 'NX'));
  const secret = await storeCall(redis.get(key));
  if (secret === null) throw new Error(`The secret ${name} vanished from Redis while it was read.`);
  return secret;
};
