/** The part of Microsoft that says who is who: tokens for bots, keys and signatures of the Bot Connector. */
import { randomUUID } from 'node:crypto';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';

export const CONNECTOR_ISSUER = 'https://api.botframework.com';
const SCOPE = 'https://api.botframework.com/.default';
/** Entra's tokens live for an hour. */
const TOKEN_LIFE_S = 3_600;
const MINUTES_5 = 300;

interface Key {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly jwk: Readonly<Record<string, unknown>>;
}

export interface TokenWish {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  /** Signed by nobody, by a key that is not published, or with a shared secret. */
  readonly by?: 'nobody' | 'stranger' | 'secret';
}

const newKey = async (endorsements: readonly string[]): Promise<Key> => {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const kid = randomUUID();
  const jwk = { ...(await exportJWK(publicKey)), kid, use: 'sig', endorsements };
  return { kid, privateKey, jwk };
};

export class Entra {
  /** How often the keys were fetched. */
  keyFetches = 0;
  private readonly issued = new Map<string, number>();

  private stranger: Promise<Key> | undefined;

  private constructor(
    readonly appId: string,
    readonly password: string,
    private keys: readonly Key[],
  ) {}

  static async open(appId: string, password: string): Promise<Entra> {
    return new Entra(appId, password, [await newKey(['msteams', 'webchat'])]);
  }

  /** A new key signs from now on; those before it stay published unless withdrawn. */
  async rotate(endorsements: readonly string[] = ['msteams'], { withdraw = false } = {}): Promise<void> {
    this.keys = [await newKey(endorsements), ...(withdraw ? [] : this.keys)];
  }

  /** What the token endpoint answers to a form. */
  grant(form: URLSearchParams): { readonly status: number; readonly body: object } {
    const isOurs =
      form.get('client_id') === this.appId &&
      form.get('client_secret') === this.password &&
      form.get('grant_type') === 'client_credentials';
    if (!isOurs) return { status: 401, body: { error: 'invalid_client' } };
    if (form.get('scope') !== SCOPE) return { status: 400, body: { error: 'invalid_scope' } };
    const token = randomUUID();
    this.issued.set(token, Date.now() + TOKEN_LIFE_S * 1_000);
    return { status: 200, body: { token_type: 'Bearer', expires_in: TOKEN_LIFE_S, access_token: token } };
  }

  knows(authorization: string | undefined): boolean {
    const token = /^Bearer (\S+)$/u.exec(authorization ?? '')?.[1];
    return token !== undefined && (this.issued.get(token) ?? 0) > Date.now();
  }

  /** Every token of the bot is worth nothing from now on. */
  revoke(): void {
    this.issued.clear();
  }

  jwks(): object {
    this.keyFetches += 1;
    return { keys: this.keys.map(({ jwk }) => jwk) };
  }

  /** What the connector puts into `Authorization` when it calls the bot. */
  async sign(serviceUrl: string, { claims, header, by }: TokenWish = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    const payload = {
      iss: CONNECTOR_ISSUER,
      aud: this.appId,
      nbf: now - MINUTES_5,
      exp: now + TOKEN_LIFE_S,
      serviceurl: serviceUrl,
      ...claims,
    };
    if (by === 'nobody') return new UnsecuredJWT(payload).encode();
    const published = this.keys[0] as Key;
    const key = by === 'stranger' ? await this.strangersKey() : published;
    const protectedHeader = {
      alg: by === 'secret' ? 'HS256' : 'RS256',
      kid: published.kid,
      typ: 'JWT',
      ...header,
    };
    const signing = new SignJWT(payload).setProtectedHeader(protectedHeader);
    return signing.sign(by === 'secret' ? new TextEncoder().encode(this.password) : key.privateKey);
  }

  private strangersKey(): Promise<Key> {
    this.stranger ??= newKey(['msteams']);
    return this.stranger;
  }
}
