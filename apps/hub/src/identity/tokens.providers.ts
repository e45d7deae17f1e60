/** Provides the verifier of tokens, by the mode the deployment chose, and what judges whether they still stand. */
import type { Provider } from '@nestjs/common';
import {
  devTokens,
  newDevKey,
  type DevTokens,
  type Issuer,
  type TokenVerifier,
  verifierFrom,
} from '@triptych/access';
import { type KnownRevocations, REVOCATIONS } from '@triptych/assembly/nest';
import { ensureSecret } from '@triptych/platform';
import type { Log, Settings, Shutdown } from '@triptych/platform';
import { LOG, REDIS, SETTINGS, SHUTDOWN, SUBSCRIBER } from '@triptych/platform/nest';
import type { Redis } from 'ioredis';
import { Standing } from './standing.js';

export const TOKENS = Symbol('TOKENS');
/** Whose tokens are taken. */
const ISSUER = Symbol('ISSUER');
/** Signs tokens for made-up people; undefined outside dev mode. */
export const DEV_TOKENS = Symbol('DEV_TOKENS');

export type { TokenVerifier } from '@triptych/access';

/** All hubs on one Redis share the key, so a token of one is good at the other. */
const devKey = async (redis: Redis): Promise<DevTokens> =>
  devTokens(JSON.parse(await ensureSecret(redis, 'dev-key', () => JSON.stringify(newDevKey()))));

const issuerIn = ({ auth }: Settings, log: Log): Issuer => {
  if (auth.mode !== 'jwt') throw new Error('only jwt mode has an issuer of its own');
  const { key, issuer, audience, defaultTenant } = auth;
  return verifierFrom({
    ...(key.kind === 'jwks' ? { jwksUrl: key.url } : { publicKey: key.pem }),
    issuer,
    audience,
    report: (error) => log.warn('issuer.keys-away', { error }),
    ...(defaultTenant === undefined ? {} : { defaultTenant }),
  });
};

/** Good is what the issuer signed and nobody took back. */
const tokensOf = (issuer: Issuer, standing: Standing): TokenVerifier => ({
  verify: async (token) => {
    const actor = await issuer.verify(token);
    return actor.ok ? standing.judge(actor.value) : actor;
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
    provide: ISSUER,
    inject: [SETTINGS, DEV_TOKENS, LOG, SHUTDOWN],
    useFactory: (...parts: [Settings, DevTokens | undefined, Log, Shutdown]): Issuer => {
      const [settings, dev, log, shutdown] = parts;
      const issuer = dev ?? issuerIn(settings, log);
      shutdown.add('issuer', () => issuer.stop());
      return issuer;
    },
  },
  {
    provide: Standing,
    inject: [ISSUER, REVOCATIONS, SUBSCRIBER, LOG, SHUTDOWN],
    useFactory: (...parts: [Issuer, KnownRevocations, Redis, Log, Shutdown]) => {
      const [issuer, known, subscriber, log, shutdown] = parts;
      return Standing.open({ issuer, known, subscriber, log, shutdown });
    },
  },
  { provide: TOKENS, inject: [ISSUER, Standing], useFactory: tokensOf },
];
