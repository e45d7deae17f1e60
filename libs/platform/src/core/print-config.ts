/** Shows the effective settings as the variables that would give them, secrets masked. */
import type { AuthSettings } from './auth-settings.js';
import { AUTH, BRIDGES, GENERAL, LIMITS } from './setting-tables.js';
import type { Settings } from './settings.js';
import { MIB, type Variable, type VariableTable } from './variables.js';

const MASK = '********';

const maskPassword = (address: string): string => {
  const url = new URL(address);
  if (url.password === '') return address;
  url.password = MASK;
  return url.toString();
};

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const shown = ({ secret, unit }: Variable, value: unknown): string => {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return '';
  if (secret === 'value') return MASK;
  if (secret === 'password') return maskPassword(plain(value));
  if (unit === 'MiB') return plain(Number(value) / MIB);
  return Array.isArray(value) ? value.join(',') : plain(value);
};

const linesOf = (table: VariableTable, values: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(table).map(([key, variable]) => `${variable.name}=${shown(variable, values[key])}`);

const authValues = (auth: AuthSettings): Readonly<Record<string, unknown>> =>
  auth.mode === 'dev'
    ? auth
    : {
        ...auth,
        jwksUrl: auth.key.kind === 'jwks' ? auth.key.url : undefined,
        publicKey: auth.key.kind === 'pem' ? auth.key.pem.replaceAll('\n', '\\n') : undefined,
      };

export const printConfig = (settings: Settings): string =>
  [
    ...linesOf(GENERAL, { ...settings }),
    ...linesOf(AUTH, authValues(settings.auth)),
    ...linesOf(LIMITS, { ...settings.limits }),
    ...linesOf(BRIDGES, { ...settings.bridges }),
  ].join('\n');
