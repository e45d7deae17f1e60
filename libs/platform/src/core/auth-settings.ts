/** Decides how callers are known, and refuses combinations that would leave the door open. */
import { AUTH, GENERAL } from './setting-tables.js';
import type { Problem, ValuesOf, Variable } from './variables.js';

export type AuthSettings =
  | { readonly mode: 'dev' }
  | {
      readonly mode: 'jwt';
      readonly key:
        { readonly kind: 'jwks'; readonly url: string } | { readonly kind: 'pem'; readonly pem: string };
      readonly issuer: string;
      readonly audience: string;
      /** Absent: a token without a tenant is refused. */
      readonly defaultTenant: string | undefined;
      /** Where our pages fetch their token; absent: they work only embedded. */
      readonly tokenUrl: string | undefined;
    };

type AuthOutcome =
  | { readonly ok: true; readonly auth: AuthSettings }
  | { readonly ok: false; readonly problems: readonly Problem[] };

interface Around {
  readonly production: boolean;
  readonly host: string;
  readonly hubSecret: string | undefined;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/;

const problem = ({ name, example }: Variable, reason: string): Problem => ({
  variable: name,
  reason,
  example,
});

const devMode = ({ production, host }: Around): AuthOutcome => {
  const problems: Problem[] = [];
  if (production) problems.push(problem(AUTH.mode, 'must be jwt when NODE_ENV is production'));
  if (!LOOPBACK.test(host)) {
    problems.push(
      problem(
        GENERAL.host,
        'must be a loopback address while AUTH_MODE is dev, which lets anyone in as anyone',
      ),
    );
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, auth: { mode: 'dev' } };
};

type Key = Extract<AuthSettings, { mode: 'jwt' }>['key'];

const keyOf = ({ jwksUrl, publicKey }: ValuesOf<typeof AUTH>): Key | Problem => {
  if (jwksUrl !== undefined && publicKey !== undefined) {
    return problem(AUTH.jwksUrl, 'and AUTH_PUBLIC_KEY exclude each other');
  }
  if (jwksUrl !== undefined) return { kind: 'jwks', url: jwksUrl };
  if (publicKey === undefined)
    return problem(AUTH.jwksUrl, 'or AUTH_PUBLIC_KEY must be set when AUTH_MODE is jwt');
  // Environment files keep a key on one line, with \n for its line ends.
  return { kind: 'pem', pem: publicKey.replaceAll('\\n', '\n') };
};

const jwtMode = (values: ValuesOf<typeof AUTH>, { hubSecret }: Around): AuthOutcome => {
  const { issuer, audience, defaultTenant, tokenUrl } = values;
  const needed = 'must be set when AUTH_MODE is jwt';
  const key = keyOf(values);
  const problems: Problem[] = [];
  if ('variable' in key) problems.push(key);
  if (issuer === undefined) problems.push(problem(AUTH.issuer, needed));
  if (audience === undefined) problems.push(problem(AUTH.audience, needed));
  if (hubSecret === undefined) problems.push(problem(GENERAL.hubSecret, needed));
  if ('variable' in key || issuer === undefined || audience === undefined || problems.length > 0) {
    return { ok: false, problems };
  }
  return { ok: true, auth: { mode: 'jwt', key, issuer, audience, defaultTenant, tokenUrl } };
};

export const decideAuth = (values: ValuesOf<typeof AUTH>, around: Around): AuthOutcome => {
  const mode = values.mode ?? (around.production ? 'jwt' : 'dev');
  return mode === 'dev' ? devMode(around) : jwtMode(values, around);
};
