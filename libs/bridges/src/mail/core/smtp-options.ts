/** Reads how a mail server is spoken to from its URL. */
export interface SmtpOptions {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  /** Who shows a password shows it to nobody on the way. */
  readonly requireTLS: boolean;
  readonly auth?: { readonly user: string; readonly pass: string };
}

const PORTS = { 'smtp:': 587, 'smtps:': 465 };
const HERE: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

export const smtpOptions = (smtpUrl: string): SmtpOptions => {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const secure = protocol === 'smtps:';
  const known = username !== '';
  return {
    host: hostname.replace(/^\[|\]$/gu, ''),
    port: port === '' ? PORTS[secure ? 'smtps:' : 'smtp:'] : Number(port),
    secure,
    requireTLS: known && !secure && !HERE.has(hostname),
    ...(known ? { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } } : {}),
  };
};
