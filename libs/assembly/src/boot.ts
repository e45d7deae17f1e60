/** Starts a process of this product: reads its settings, opens its log and its Redis, or says why not. */
import {
  bootCheck,
  closeRedis,
  connectRedis,
  createLog,
  describeProblem,
  parseSettings,
  printConfig,
  type Environment,
  type Log,
  type Settings,
} from '@triptych/platform';
import type { PlatformParts } from '@triptych/platform/nest';

/** What a process of this product is made of. */
export interface ProcessParts extends PlatformParts {
  readonly redisUrl: string;
}

/** What a start that cannot be answers: EX_CONFIG of sysexits. */
export const BAD_SETTINGS = 78;

export class BootRefused extends Error {
  constructor(
    message: string,
    readonly exitCode: number,
  ) {
    super(message);
  }
}

const settingsFrom = (env: Environment): Settings => {
  const outcome = parseSettings(env);
  if (outcome.ok) return outcome.settings;
  throw new BootRefused(outcome.problems.map(describeProblem).join('\n'), BAD_SETTINGS);
};

const openRedis = async (url: string, log: Log): Promise<Pick<PlatformParts, 'redis' | 'subscriber'>> => {
  const redis = await connectRedis(url, 'commands', { log });
  const check = await bootCheck(redis);
  if (!check.usable) {
    await closeRedis(redis);
    throw new BootRefused(check.reason, BAD_SETTINGS);
  }
  for (const warning of check.warnings) log.warn('store.warning', { warning });
  return { redis, subscriber: await connectRedis(url, 'subscriber', { log }) };
};

/** Rejects with BootRefused when the settings or the store cannot be used. */
export const bootProcess = async (name: string, env: Environment): Promise<ProcessParts> => {
  const settings = settingsFrom(env);
  const log = createLog({ name, level: settings.logLevel });
  const { redisUrl } = settings;
  if (redisUrl === undefined)
    throw new BootRefused(
      `REDIS_URL must be set for ${name} alone, for example redis://127.0.0.1:6379; npm start brings its own.`,
      BAD_SETTINGS,
    );
  return { settings, log, redisUrl, ...(await openRedis(redisUrl, log)) };
};

/** Prints a refused start for a person; answers the exit code. Anything else is a fault of ours and keeps its stack. */
export const explainRefusal = (error: unknown, write: (text: string) => void): number => {
  if (error instanceof BootRefused) {
    write(`${error.message}\n`);
    return error.exitCode;
  }
  write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return 1;
};

export const configPrinter = (env: Environment): string => printConfig(settingsFrom(env));
