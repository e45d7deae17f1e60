/** Provides the verifier of tokens, by the mode the deployment chose, and what judges whether they still stand. */
import type { Provider } from '@nestjs/common';
import { devTokens, newDevKey, type DevTokens, type TokenVerifier, verifierFrom } from '@triptych/access';
import { ensureSecret } from '@triptych/platform';
import type { Clock, Log, Settings, Shutdown } from '@triptych/platform';
import { CLOCK, LOG, REDIS, SETTINGS, SHUTDOWN, SUBSCRIBER } from '@triptych/platform/nest';
import type { Redis } from 'ioredis';
import { RevocationStore } from './revocation-store.js';
import { Standing } from './standing.js';

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

/** Good is what the issuer signed and nobody took back. */
const standing = (tokens: TokenVerifier, judge: Standing): TokenVerifier => ({
  verify: async (token) => {
    const actor = await tokens.verify(token);
    return actor.ok ? judge.judge(actor.value) : actor;
  },
});

export const tokensProviders: Provider[] = [
  {
    provide: DEV_TOKENS,
    inject: [SETTINGS, REDIS],
    useFactory: (settings: Settings, redis: Redis) =>
      settings.auth.mode === 'dev' ? devKey(redis) : undefined,
  },
  {
    provide: Standing,
    inject: [REDIS, SUBSCRIBER, CLOCK, LOG, SHUTDOWN],
    useFactory: (...parts: [Redis, Redis, Clock, Log, Shutdown]) => {
      const [redis, subscriber, clock, log, shutdown] = parts;
      return Standing.open({ store: new RevocationStore(redis), subscriber, clock, log, shutdown });
    },
  },
  {
    provide: TOKENS,
    inject: [SETTINGS, DEV_TOKENS, Standing],
    useFactory: (settings: Settings, dev: DevTokens | undefined, judge: Standing): TokenVerifier =>
      standing(dev ?? jwtVerifier(settings), judge),
  },
];
