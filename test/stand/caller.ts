/** Somebody who asks one hub over HTTP, and hears how it went in one word. */
import type { Refusal } from '@triptych/protocol';

export interface Told<T> {
  /** `ok`, the refusal's code, or `gone` when nobody answered. */
  readonly code: string;
  readonly value?: T;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Longer than any answer takes on a busy machine, ms: beyond it somebody will not answer any more. */
const PATIENCE_MS = 30_000;

/** What was answered, as far as anybody did. */
interface Heard {
  readonly response: Response;
  readonly text: string;
}

const read = <T>({ response, text }: Heard): Told<T> => {
  if (response.headers.get('content-type')?.includes('event-stream') === true) return { code: 'ok' };
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  if (response.ok) return { code: 'ok', value: body as T };
  const { code, details } = (body as { error: Refusal }).error;
  return details === undefined ? { code } : { code, details };
};

export class Caller {
  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  /** A stream is read to its end. */
  async ask<T>(
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Told<T>> {
    const heard = await this.hear(path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return heard ? read<T>(heard) : { code: 'gone' };
  }

  /** Of somebody who must be answered. */
  async get<T>(path: string): Promise<T> {
    const told = await this.ask<T>(path);
    if (told.value === undefined) throw new Error(`${path}: ${told.code}`);
    return told.value;
  }

  /** Whoever kills hubs must bear that they do not answer, or not to the end. */
  private async hear(path: string, init: RequestInit): Promise<Heard | undefined> {
    try {
      const response = await fetch(`${this.url}${path}`, init);
      return { response, text: await response.text() };
    } catch {
      // Whatever fetch throws says the same.
      return undefined;
    }
  }
}
