/** Provides the verifier of tokens, by the mode the deployment chose. */
import type { Provider } from '@nestjs/common';
import { devTokens, newDevKey, type DevTokens, type TokenVerifier, verifierFrom } from '@triptych/access';
import { ensureSecret } from '@triptych/platform';
import type { Settings } from '@triptych/platform';
import { REDIS, SETTINGS } from '@triptych/platform/nest';
import type { Redis } from 'ioredis';

export const TOKENS = Symbol('TOKENS');
/** Signs tokens for made-up people; undefined outside dev mode. */
export const DEV_TOKENS = Symbol('DEV_TOKENS');

export type { TokenVerifier } from '@triptych/access';

/** All hubs on one Redis share the key, so a token of one is good at the other. */
const devKey = async (redis: Redis): Promise<DevTokens> =>
  devTokens(JSON.parse(await ensureSecret(redis, 'dev-key', () => JSON.stringify(newDevKey()))));

const jwtVerifier = ({ auth }: Settings): TokenVerifier => {
  if (auth.mode !== 'jwt') throw new Error('only jwt mode has a verifier of its own');
  const { key, issuer, audience, defaultTenant } = auth;
  return verifierFrom({
    ...(key.kind === 'jwks' ? { jwksUrl: key.url } : { publicKey: key.pem }),
    issuer,
    audience,
    ...(defaultTenant === undefined ? {} : { defaultTenant }),
  });
};

export const tokensProviders: Provider[] = [
  {
    provide: DEV_TOKENS,
    inject: [SETTINGS, REDIS],
    useFactory: (settings: Settings, redis: Redis) =>
      settings.auth.mode === 'dev' ? devKey(redis) : undefined,
  },
  {
    provide: TOKENS,
    inject: [SETTINGS, DEV_TOKENS],
    useFactory: (settings: Settings, dev: DevTokens | undefined): TokenVerifier =>
      dev ?? jwtVerifier(settings),
  },
];
