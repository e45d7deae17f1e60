/** The Bot Connector's calls that the bridge needs, each made once: whoever asked decides about a second time. */
import { z } from 'zod';
import { isUnsent } from '../../adapters/unsent.js';
import { type Heard, retryAfterIn } from '../core/delivery-of.js';
import { callUrl, isServiceUrl } from '../core/service-hosts.js';
import { type BotToken, NoBotToken } from './bot-token.js';

/** A connector that takes longer may still do it; with a new token and a second call an attempt stays in its bound. */
const CONNECTOR_MS = 6_000;
/** No answer that is read is longer. */
const MAX_ANSWER_BYTES = 64 * 1024;
const answered = z.object({
  id: z.string().optional().catch(undefined),
  error: z.object({ code: z.string() }).optional().catch(undefined),
});

export interface Answered extends Heard {
  readonly id?: string;
}

export interface Spot {
  readonly serviceUrl: string;
  readonly conversation: string;
}

export interface ConnectorOptions {
  readonly token: BotToken;
  readonly timeoutMs?: number;
  /** What may be called beside Microsoft's. */
  readonly serviceHosts: readonly string[];
}

interface Call {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly body?: unknown;
}

/** As far as it is read; what is longer is nothing we look for. */
const textOf = async ({ body }: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) return '';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

const bodyOf = (text: string): z.output<typeof answered> => {
  try {
    return answered.parse(JSON.parse(text));
  } catch {
    // Gateways answer with pages; what counts is the status.
    return {};
  }
};

const heardIn = async (response: Response): Promise<Answered> => {
  const { id, error } = bodyOf(await textOf(response));
  const retryAfterMs = retryAfterIn(response.headers.get('retry-after'));
  return {
    status: response.status,
    ...(id === undefined ? {} : { id }),
    ...(error === undefined ? {} : { code: error.code }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
};

export class Connector {
  constructor(private readonly options: ConnectorOptions) {}

  post({ serviceUrl, conversation }: Spot, activity: unknown): Promise<Answered> {
    return this.call({
      method: 'POST',
      url: callUrl(serviceUrl, conversation, 'activities'),
      body: activity,
    });
  }

  reply({ serviceUrl, conversation }: Spot, to: string, activity: unknown): Promise<Answered> {
    return this.call({
      method: 'POST',
      url: callUrl(serviceUrl, conversation, 'activities', to),
      body: activity,
    });
  }

  update({ serviceUrl, conversation }: Spot, id: string, activity: unknown): Promise<Answered> {
    return this.call({
      method: 'PUT',
      url: callUrl(serviceUrl, conversation, 'activities', id),
      body: activity,
    });
  }

  remove({ serviceUrl, conversation }: Spot, id: string): Promise<Answered> {
    return this.call({ method: 'DELETE', url: callUrl(serviceUrl, conversation, 'activities', id) });
  }

  private async call(call: Call): Promise<Answered> {
    // The token goes nowhere else, whatever was stored.
    if (!isServiceUrl(call.url, this.options.serviceHosts)) return { status: 403, code: 'ServiceHost' };
    try {
      const token = await this.options.token.current();
      const response = await fetch(call.url, {
        method: call.method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
        redirect: 'error',
        signal: AbortSignal.timeout(this.options.timeoutMs ?? CONNECTOR_MS),
      });
      if (response.status === 401) this.options.token.reject(token);
      return await heardIn(response);
    } catch (failure) {
      const unsent = failure instanceof NoBotToken || isUnsent(failure);
      return unsent ? { unsent: true } : {};
    }
  }
}
