/** Checks tokens against the keys that an issuer publishes. */
import { calculateJwkThumbprint, type CryptoKey, errors, exportJWK, jwtVerify } from 'jose';
import type { JWTVerifyGetKey, JWTVerifyOptions } from 'jose';
import { type IssuerKeys, KeysAway } from './issuer-keys.js';

export interface Checked {
  readonly claims: unknown;
  readonly keyId?: string;
}

export type Check = (token: string) => Promise<Checked>;

/** Only the key set's own "no such key" is the token's fault; all else is ours. */
const blamingTheKeys =
  (getKey: JWTVerifyGetKey): JWTVerifyGetKey =>
  async (header, token) => {
    try {
      return await getKey(header, token);
    } catch (failure) {
      const tokensFault =
        failure instanceof errors.JWKSNoMatchingKey || failure instanceof errors.JWKSMultipleMatchingKeys;
      throw tokensFault ? failure : new KeysAway('key set', { cause: failure });
    }
  };

/** Keys without a name: the token may be of any of them. */
const MAX_TRIED = 10;

const verifiedByAny = async (
  token: string,
  { keys, rules }: { readonly keys: AsyncIterable<CryptoKey>; readonly rules: JWTVerifyOptions },
) => {
  let tried = 0;
  for await (const key of keys) {
    if (++tried > MAX_TRIED) break;
    try {
      return { ...(await jwtVerify(token, key, rules)), key };
    } catch (failure) {
      // Not this one's.
      if (!(failure instanceof errors.JWSSignatureVerificationFailed)) throw failure;
    }
  }
  throw new errors.JWSSignatureVerificationFailed();
};

const verified = async (token: string, find: JWTVerifyGetKey, rules: JWTVerifyOptions): Promise<Checked> => {
  const { payload, key } = await jwtVerify(token, find, rules).catch((failure: unknown) => {
    if (!(failure instanceof errors.JWKSMultipleMatchingKeys)) throw failure;
    return verifiedByAny(token, { keys: failure, rules });
  });
  return { claims: payload, keyId: await calculateJwkThumbprint(await exportJWK(key)) };
};

const mayBeOfANewerKey = (failure: unknown): boolean =>
  failure instanceof errors.JWKSNoMatchingKey || failure instanceof errors.JWSSignatureVerificationFailed;

/** ACC-52: before a token is refused for its key, it is looked whether the issuer has another one by now. */
export const checkingWith = (keys: IssuerKeys, rules: JWTVerifyOptions): Check => {
  const find = blamingTheKeys(keys.find);
  const checkOnce: Check = (token) => verified(token, find, rules);
  return async (token) => {
    await keys.ready();
    const { generation } = keys;
    try {
      return await checkOnce(token);
    } catch (failure) {
      if (!mayBeOfANewerKey(failure)) throw failure;
      await keys.newest();
      if (keys.generation === generation) throw failure;
      return checkOnce(token);
    }
  };
};
