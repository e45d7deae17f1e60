/** The bot's own token, from Entra: one for all calls, until shortly before its end. */
import { z } from 'zod';

const SCOPE = 'https://api.botframework.com/.default';
const TOKEN_MS = 4_000;
/** Renewed so long before its end that no call under way is caught by it. */
const SPARE_MS = 300_000;
/** Entra refuses for hours what is configured wrongly, and does not like to be asked again and again. */
const COOLDOWN_MS = 1_000;

const grant = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive() });

/** There is none: what it was for was not sent. */
export class NoBotToken extends Error {}

export interface BotTokenOptions {
  /** A bot of one tenant asks there, one of many at Microsoft's own. */
  readonly url: string;
  readonly appId: string;
  readonly password: string;
  readonly now: () => number;
  readonly timeoutMs?: number;
}

export class BotToken {
  private held: { readonly text: string; readonly until: number } | undefined;
  private asking: Promise<string> | undefined;
  private failedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: BotTokenOptions) {}

  /** Throws NoBotToken. */
  async current(): Promise<string> {
    const now = this.options.now();
    if (this.held && now < this.held.until) return this.held.text;
    if (now < this.failedAt + COOLDOWN_MS) throw new NoBotToken('Entra gave no token a moment ago.');
    this.asking ??= this.ask().finally(() => (this.asking = undefined));
    return this.asking;
  }

  /** It was not taken: a new one is asked for next time. */
  reject(text: string): void {
    if (this.held?.text === text) this.held = undefined;
  }

  private async ask(): Promise<string> {
    const { now } = this.options;
    try {
      const { access_token: text, expires_in: lifeS } = grant.parse(await this.answer());
      this.held = { text, until: now() + Math.max(lifeS * 1_000 - SPARE_MS, COOLDOWN_MS) };
      return text;
    } catch (failure) {
      this.failedAt = now();
      // What the answer says may hold the secret that was sent.
      throw new NoBotToken('Entra gave no token.', { cause: failure });
    }
  }

  private async answer(): Promise<unknown> {
    const { url, appId, password, timeoutMs = TOKEN_MS } = this.options;
    const form = {
      grant_type: 'client_credentials',
      client_id: appId,
      client_secret: password,
      scope: SCOPE,
    };
    const response = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams(form),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) throw new Error(`Entra answered ${response.status}.`);
    return response.json();
  }
}
