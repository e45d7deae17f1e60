/** Reads the environment into settings, or says what is wrong with each variable. */
import { MAX_SNAPSHOT_BYTES } from '@triptych/protocol';
import { AUTH, BRIDGES, GENERAL, LIMITS } from './setting-tables.js';
import { type AuthSettings, decideAuth } from './auth-settings.js';
import { MIB, type Problem, type ValuesOf, type VariableTable } from './variables.js';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Limits extends ValuesOf<typeof LIMITS> {
  /** A `run` frame carries messages and images. */
  readonly runFrameBytes: number;
  /** An `append` frame of `/ws/agent` carries a batch. */
  readonly agentFrameBytes: number;
  /** `MESSAGES_SNAPSHOT`, `STATE_SNAPSHOT` and `RUN_STARTED` hold a whole model. */
  readonly snapshotEventBytes: number;
  readonly imagesBytes: number;
  readonly framesBurst: number;
  readonly runsBurst: number;
}

export interface Settings extends Omit<ValuesOf<typeof GENERAL>, 'publicUrl'> {
  readonly production: boolean;
  readonly publicUrl: string;
  /** Origins that count as our own pages. */
  readonly publicOrigins: readonly string[];
  readonly auth: AuthSettings;
  readonly limits: Limits;
  readonly bridges: ValuesOf<typeof BRIDGES>;
}

export type SettingsOutcome =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly problems: readonly Problem[] };

type Read<T extends VariableTable> = { readonly values: ValuesOf<T>; readonly problems: readonly Problem[] };

/** An empty variable counts as unset: compose files and shells write both. */
const given = (env: Environment, name: string): string | undefined => env[name]?.trim() || undefined;

const readTable = <T extends VariableTable>(env: Environment, table: T): Read<T> => {
  const values: Record<string, unknown> = {};
  const problems: Problem[] = [];
  for (const [key, { name, form, example }] of Object.entries(table)) {
    const read = form.safeParse(given(env, name));
    if (read.success) values[key] = read.data;
    else problems.push({ variable: name, reason: read.error.issues[0]?.message ?? 'is not usable', example });
  }
  return { values: values as ValuesOf<T>, problems };
};

const withFixedLimits = (limits: ValuesOf<typeof LIMITS>): Limits => ({
  ...limits,
  runFrameBytes: Math.max(12 * MIB, limits.frameBytes),
  agentFrameBytes: Math.max(9 * MIB, limits.frameBytes),
  snapshotEventBytes: Math.max(MAX_SNAPSHOT_BYTES, limits.eventBytes),
  imagesBytes: Math.max(5 * MIB, limits.imageBytes),
  framesBurst: limits.framesPerSecond * 4,
  runsBurst: Math.ceil(limits.runsPerMinute / 3),
});

const originsOf = (publicUrl: string | undefined, port: number): readonly string[] =>
  publicUrl === undefined
    ? [`http://127.0.0.1:${port}`, `http://localhost:${port}`]
    : [new URL(publicUrl).origin];

const deepFreeze = <T extends object>(value: T): T => {
  for (const inner of Object.values(value))
    if (typeof inner === 'object' && inner !== null) deepFreeze(inner);
  return Object.freeze(value);
};

export const parseSettings = (env: Environment): SettingsOutcome => {
  const general = readTable(env, GENERAL);
  const auth = readTable(env, AUTH);
  const limits = readTable(env, LIMITS);
  const bridges = readTable(env, BRIDGES);
  const malformed = [general, auth, limits, bridges].flatMap((read) => read.problems);
  if (malformed.length > 0) return { ok: false, problems: malformed };

  const production = env['NODE_ENV'] === 'production';
  const decided = decideAuth(auth.values, { production, ...general.values });
  if (!decided.ok) return decided;
  const { publicUrl, port } = general.values;
  const settings: Settings = {
    ...general.values,
    production,
    publicUrl: publicUrl ?? `http://127.0.0.1:${port}`,
    publicOrigins: originsOf(publicUrl, port),
    auth: decided.auth,
    limits: withFixedLimits(limits.values),
    bridges: bridges.values,
  };
  return { ok: true, settings: deepFreeze(settings) };
};
