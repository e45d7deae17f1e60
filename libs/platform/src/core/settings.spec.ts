/** Proves what the environment may say and what stops a start. */
import { verifies } from '../../../../test/spec/verifies.js';
import { printConfig } from './print-config.js';
import { type Environment, type Settings, parseSettings } from './settings.js';
import { describeProblem } from './variables.js';

const HUB_SECRET = 'a-secret-of-more-than-32-characters-x';
const JWT: Environment = {
  AUTH_MODE: 'jwt',
  AUTH_JWKS_URL: 'https://login.example.com/jwks.json',
  AUTH_ISSUER: 'https://login.example.com',
  AUTH_AUDIENCE: 'triptych',
  HUB_SECRET,
};

const settingsOf = (env: Environment): Settings => {
  const outcome = parseSettings(env);
  if (!outcome.ok) throw new Error(outcome.problems.map(describeProblem).join('\n'));
  return outcome.settings;
};
const problemsOf = (env: Environment): string[] => {
  const outcome = parseSettings(env);
  return outcome.ok ? [] : outcome.problems.map((problem) => problem.variable);
};

describe('settings', () => {
  verifies('PLT-1', 'an empty environment gives the defaults of the contract', () => {
    const MIB = 1024 * 1024;
    expect(settingsOf({ PORT: '', HOST: '  ' })).toMatchObject({
      port: 4000,
      host: '127.0.0.1',
      publicUrl: 'http://127.0.0.1:4000',
      publicOrigins: ['http://127.0.0.1:4000', 'http://localhost:4000'],
      redisUrl: undefined,
      dataDir: '.data',
      agentsFile: 'config/agents.yaml',
      policyFile: 'config/policy.yaml',
      allowedOrigins: [],
      logLevel: 'info',
      lingerMs: 2_000,
      storeGraceMs: 30_000,
      reorderWindowMs: 2_000,
      threadTtlDays: undefined,
      feedBytes: 256 * MIB,
      logKeep: undefined,
      frontendToolTtlMs: 900_000,
      auth: { mode: 'dev' },
      limits: {
        bodyBytes: 12 * MIB,
        frameBytes: MIB,
        runFrameBytes: 12 * MIB,
        agentFrameBytes: 9 * MIB,
        eventBytes: MIB,
        snapshotEventBytes: 7 * MIB,
        modelBytes: 7 * MIB,
        imageBytes: 4 * MIB,
        imagesBytes: 5 * MIB,
        patchOps: 5_000,
        depth: 64,
        interrupts: 200,
        threadsPerSocket: 64,
        socketsPerSubject: 20,
        framesPerSecond: 50,
        framesBurst: 200,
        runsPerMinute: 60,
        runsBurst: 20,
      },
    });
  });

  verifies('PLT-1', 'values are typed, and frozen at every depth', () => {
    const settings = settingsOf({
      PORT: '0',
      PUBLIC_URL: 'https://hub.example.com/app',
      ALLOWED_ORIGINS: 'https://a.example, https://b.example:8443',
      MAX_BODY: '0.5',
    });
    expect(settings).toMatchObject({
      port: 0,
      publicOrigins: ['https://hub.example.com'],
      allowedOrigins: ['https://a.example', 'https://b.example:8443'],
      limits: { bodyBytes: 524_288 },
    });
    expect(() => Object.assign(settings.limits, { depth: 1 })).toThrow(TypeError);
    expect(() => Object.assign(settings, { port: 1 })).toThrow(TypeError);
  });

  verifies('PLT-2', 'every bad variable is named with reason and example, all at once', () => {
    const outcome = parseSettings({ PORT: '40O0', MAX_BODY: '-1', ALLOWED_ORIGINS: '*', LOG_LEVEL: 'loud' });
    expect(outcome.ok ? [] : outcome.problems.map(describeProblem)).toEqual([
      'PORT must be a whole number; for example PORT=4000',
      'ALLOWED_ORIGINS must be exact origins, separated by commas; no * and no path; for example ALLOWED_ORIGINS=https://app.example.com',
      'LOG_LEVEL must be one of trace, debug, info, warn, error, silent; for example LOG_LEVEL=info',
      'MAX_BODY must be a number of MiB; for example MAX_BODY=12',
    ]);
  });

  for (const [name, value] of [
    ['PORT', '65536'],
    ['REDIS_URL', 'http://127.0.0.1'],
    ['PUBLIC_URL', 'hub.example.com'],
    ['HUB_SECRET', 'short'],
    ['LINGER_MS', '2s'],
    ['FEED_BYTES', '256'],
    ['MAX_DEPTH', '0'],
    ['MAX_DEPTH', '65'],
    ['MAX_MODEL', '8'],
    ['ALLOWED_ORIGINS', 'https://a.example/path'],
    ['ALLOWED_ORIGINS', 'null'],
    ['AUTH_MODE', 'none'],
    ['SMTP_URL', 'mail.example.com'],
  ]) {
    verifies('PLT-2', `${name}=${value} does not start`, () => {
      expect(problemsOf({ [name as string]: value })).toEqual([name]);
    });
  }

  verifies('PLT-3', 'the mode follows NODE_ENV, and dev mode stays at home', () => {
    expect(settingsOf({}).auth).toEqual({ mode: 'dev' });
    expect(settingsOf({ AUTH_MODE: 'dev', HOST: '::1' }).auth).toEqual({ mode: 'dev' });
    expect(settingsOf({ ...JWT, AUTH_MODE: undefined, NODE_ENV: 'production' }).auth.mode).toBe('jwt');
    expect(problemsOf({ AUTH_MODE: 'dev', NODE_ENV: 'production' })).toEqual(['AUTH_MODE']);
    for (const HOST of ['0.0.0.0', '::', '192.168.1.4', 'localhost.example.com', '127.0.0.1.example.com']) {
      expect(problemsOf({ HOST })).toEqual(['HOST']);
    }
  });

  verifies('PLT-4', 'jwt mode lists all that is missing', () => {
    expect(problemsOf({ AUTH_MODE: 'jwt' })).toEqual([
      'AUTH_JWKS_URL',
      'AUTH_ISSUER',
      'AUTH_AUDIENCE',
      'HUB_SECRET',
    ]);
    expect(problemsOf({ ...JWT, HUB_SECRET: undefined })).toEqual(['HUB_SECRET']);
    expect(problemsOf({ ...JWT, AUTH_PUBLIC_KEY: 'PEM' })).toEqual(['AUTH_JWKS_URL']);
    expect(settingsOf({ ...JWT, HOST: '0.0.0.0' }).auth).toMatchObject({
      mode: 'jwt',
      key: { kind: 'jwks', url: 'https://login.example.com/jwks.json' },
      defaultTenant: undefined,
    });
    const pem = settingsOf({ ...JWT, AUTH_JWKS_URL: undefined, AUTH_PUBLIC_KEY: 'BEGIN\\nEND' }).auth;
    expect(pem).toMatchObject({ key: { kind: 'pem', pem: 'BEGIN\nEND' } });
  });

  verifies('PLT-5', 'the printed configuration has every value and no secret', () => {
    const printed = printConfig(
      settingsOf({
        ...JWT,
        REDIS_URL: 'redis://user:hunter2@redis.example:6379/1',
        METRICS_TOKEN: 'token-of-metrics',
        SLACK_SIGNING_SECRET: 'slack-one,slack-two',
        SLACK_BOT_TOKEN: 'xoxb-bot',
        TEAMS_APP_PASSWORD: 'teams-password',
        SMTP_URL: 'smtps://mailer:mail-password@mail.example',
        MAX_BODY: '1.5',
      }),
    );
    for (const secret of [
      HUB_SECRET,
      'hunter2',
      'token-of',
      'slack-one',
      'xoxb',
      'teams-pass',
      'mail-pass',
    ]) {
      expect(printed).not.toContain(secret);
    }
    const lines = printed.split('\n');
    expect(lines).toEqual(
      expect.arrayContaining(['PORT=4000', 'MAX_BODY=1.5', 'AUTH_MODE=jwt', 'LOG_KEEP=']),
    );
    expect(lines).toContain('REDIS_URL=redis://user:********@redis.example:6379/1');
    expect(lines).toContain('HUB_SECRET=********');
    expect(lines).toContain('AUTH_JWKS_URL=https://login.example.com/jwks.json');
  });
});
