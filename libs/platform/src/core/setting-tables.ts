/** The variables of the environment, by group; names and defaults are public (contract, section 9). */
import { MAX_DEPTH, MAX_EVENT_BYTES, MAX_INTERRUPTS, MAX_PATCH_OPS } from '@triptych/protocol';
import { z } from 'zod';
import { LOG_LEVELS } from './log.js';
import { MIB, list, mebibytes, milliseconds, origins, text, url, variable, whole } from './variables.js';

/** Shorter secrets can be searched. */
const SECRET_LENGTH = 32;

export const GENERAL = {
  port: variable('PORT', whole(0, 65_535).default(4000), { example: '4000' }),
  host: variable('HOST', text().default('127.0.0.1'), { example: '127.0.0.1' }),
  publicUrl: variable('PUBLIC_URL', url('http:', 'https:').optional(), {
    example: 'https://hub.example.com',
  }),
  redisUrl: variable('REDIS_URL', url('redis:', 'rediss:').optional(), {
    example: 'redis://127.0.0.1:6379',
    secret: 'password',
  }),
  dataDir: variable('DATA_DIR', text().default('.data'), { example: '.data' }),
  agentsFile: variable('AGENTS_FILE', text().default('config/agents.yaml'), {
    example: 'config/agents.yaml',
  }),
  policyFile: variable('POLICY_FILE', text().default('config/policy.yaml'), {
    example: 'config/policy.yaml',
  }),
  allowedOrigins: variable('ALLOWED_ORIGINS', origins().default([]), { example: 'https://app.example.com' }),
  hubSecret: variable('HUB_SECRET', text(SECRET_LENGTH).optional(), {
    example: 'the output of: openssl rand -base64 32',
    secret: 'value',
  }),
  signingKeyFile: variable('SIGNING_KEY_FILE', text().optional(), {
    example: '/run/secrets/signing-key.pem',
  }),
  metricsToken: variable('METRICS_TOKEN', text().optional(), {
    example: 'a long random text',
    secret: 'value',
  }),
  logLevel: variable(
    'LOG_LEVEL',
    z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
    {
      example: 'info',
    },
  ),
  lingerMs: variable('LINGER_MS', milliseconds().default(2_000), { example: '2000' }),
  storeGraceMs: variable('STORE_GRACE_MS', milliseconds().default(30_000), { example: '30000' }),
  reorderWindowMs: variable('REORDER_WINDOW_MS', milliseconds().default(2_000), { example: '2000' }),
  threadTtlDays: variable('THREAD_TTL_DAYS', whole(1, 36_500).optional(), { example: '365' }),
  feedBytes: variable('FEED_BYTES', whole(MIB, 65_536 * MIB).default(256 * MIB), { example: '268435456' }),
  logKeep: variable('LOG_KEEP', whole(1, 1_000_000_000).optional(), { example: '10000' }),
  frontendToolTtlMs: variable('FRONTEND_TOOL_TTL_MS', milliseconds().default(900_000), { example: '900000' }),
} as const;

export const AUTH = {
  mode: variable('AUTH_MODE', z.enum(['dev', 'jwt'], 'must be dev or jwt').optional(), { example: 'jwt' }),
  jwksUrl: variable('AUTH_JWKS_URL', url('http:', 'https:').optional(), {
    example: 'https://login.example.com/.well-known/jwks.json',
  }),
  publicKey: variable('AUTH_PUBLIC_KEY', text().optional(), { example: '-----BEGIN PUBLIC KEY-----…' }),
  issuer: variable('AUTH_ISSUER', text().optional(), { example: 'https://login.example.com' }),
  audience: variable('AUTH_AUDIENCE', text().optional(), { example: 'triptych' }),
  defaultTenant: variable('AUTH_DEFAULT_TENANT', text().optional(), { example: 'default' }),
  tokenUrl: variable('AUTH_TOKEN_URL', text().optional(), { example: 'https://app.example.com/token' }),
} as const;

/** Largest value that any size limit takes: what one Redis reply and one Node string hold with ease. */
const MOST_MIB = 64;
/** A prelude of the largest model must fit one frame of 8 MiB. */
const MOST_MODEL_MIB = 7;
const size = (name: string, mib: number, most = MOST_MIB) =>
  variable(name, mebibytes(most).default(mib * MIB), { example: String(mib), unit: 'MiB' });
const count = (name: string, value: number, most: number) =>
  variable(name, whole(1, most).default(value), { example: String(value) });

export const LIMITS = {
  bodyBytes: size('MAX_BODY', 12),
  frameBytes: size('MAX_FRAME', 1),
  eventBytes: size('MAX_EVENT', MAX_EVENT_BYTES / MIB),
  modelBytes: size('MAX_MODEL', MOST_MODEL_MIB, MOST_MODEL_MIB),
  imageBytes: size('MAX_IMAGE', 4),
  patchOps: count('MAX_PATCH_OPS', MAX_PATCH_OPS, 100_000),
  // Every reader applies patches to this depth and no further, so a hub may only be stricter.
  depth: count('MAX_DEPTH', MAX_DEPTH, MAX_DEPTH),
  interrupts: count('MAX_INTERRUPTS', MAX_INTERRUPTS, 10_000),
  threadsPerSocket: count('MAX_THREADS_PER_SOCKET', 64, 10_000),
  socketsPerSubject: count('MAX_SOCKETS_PER_SUBJECT', 20, 10_000),
  streamsPerSubject: count('MAX_STREAMS_PER_SUBJECT', 100, 100_000),
  unfinishedPerAddress: count('MAX_UNFINISHED_PER_ADDRESS', 10_000, 1_000_000),
  framesPerSecond: count('RATE_FRAMES', 50, 100_000),
  runsPerMinute: count('RATE_RUNS', 60, 100_000),
} as const;

export const BRIDGES = {
  slackSigningSecrets: variable('SLACK_SIGNING_SECRET', list().default([]), {
    example: '8f742…',
    secret: 'value',
  }),
  slackBotToken: variable('SLACK_BOT_TOKEN', text().optional(), { example: 'xoxb-…', secret: 'value' }),
  slackAppToken: variable('SLACK_APP_TOKEN', text().optional(), { example: 'xapp-…', secret: 'value' }),
  slackApiUrl: variable('SLACK_API_URL', url('http:', 'https:').optional(), {
    example: 'https://slack.com/api',
  }),
  teamsAppId: variable('TEAMS_APP_ID', text().optional(), {
    example: '00000000-0000-0000-0000-000000000000',
  }),
  teamsAppPassword: variable('TEAMS_APP_PASSWORD', text().optional(), {
    example: 'a secret',
    secret: 'value',
  }),
  teamsTenants: variable('TEAMS_TENANTS', list().default([]), {
    example: '00000000-0000-0000-0000-000000000000',
  }),
  teamsOpenidUrl: variable('TEAMS_OPENID_URL', url('http:', 'https:').optional(), {
    example: 'https://login.botframework.com/v1/.well-known/openidconfiguration',
  }),
  teamsTokenUrl: variable(
    'TEAMS_TOKEN_URL',
    url('http:', 'https:').default('https://login.microsoftonline.com/botframework.com/oauth2/v2.0/token'),
    { example: 'https://login.microsoftonline.com/your-tenant/oauth2/v2.0/token' },
  ),
  bridgesFile: variable('BRIDGES_FILE', text().default('config/bridges.yaml'), {
    example: 'config/bridges.yaml',
  }),
  smtpUrl: variable('SMTP_URL', url('smtp:', 'smtps:').optional(), {
    example: 'smtp://mail.example.com:587',
    secret: 'password',
  }),
} as const;
