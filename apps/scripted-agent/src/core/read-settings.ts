/** Reads the settings of the scripted agent from its environment. */
import { z } from 'zod';

const settings = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(0),
  HOST: z.string().min(1).default('127.0.0.1'),
  SPEED: z.coerce.number().min(0).max(100).default(1),
  SCENARIOS_DIR: z.string().min(1).optional(),
});

const EXAMPLES = {
  PORT: '0 (any free one) or 4100',
  HOST: '127.0.0.1',
  SPEED: '1 (human pace), 0.1 or 0 (at once)',
  SCENARIOS_DIR: './apps/scripted-agent/scenarios',
};

export interface AgentSettings {
  readonly port: number;
  readonly host: string;
  readonly speed: number;
  readonly dir?: string | undefined;
}
export type SettingsRead =
  | { readonly ok: true; readonly settings: AgentSettings }
  | { readonly ok: false; readonly problems: readonly string[] };

export const readSettings = (env: Readonly<Record<string, string | undefined>>): SettingsRead => {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const judged = settings.safeParse(set);
  if (!judged.success)
    return {
      ok: false,
      problems: judged.error.issues.map(({ path, message }) => {
        const variable = String(path[0]) as keyof typeof EXAMPLES;
        return `${variable}: ${message}; for example ${EXAMPLES[variable]}`;
      }),
    };
  const { PORT, HOST, SPEED, SCENARIOS_DIR } = judged.data;
  return { ok: true, settings: { port: PORT, host: HOST, speed: SPEED, dir: SCENARIOS_DIR } };
};
