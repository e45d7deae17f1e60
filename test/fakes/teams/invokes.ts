/** Calls the bot as the connector does: signed activities, and what their answers mean to a client. */
import { randomUUID } from 'node:crypto';
import { cardFaults } from './card-rules.js';
import type { Chat, TeamsUser } from './chats.js';
import type { Entra, TokenWish } from './entra.js';

type Bag = Readonly<Record<string, unknown>>;

export interface BotAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly ms: number;
}

/** What a client does with the answer to a press. */
export type Outcome =
  | { readonly kind: 'card'; readonly card: Bag }
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'error'; readonly text: string }
  /** "Unable to reach app": nobody answered in time, or not in the words of the protocol. */
  | { readonly kind: 'unreachable'; readonly why: string };

const CARD = 'application/vnd.microsoft.card.adaptive';
const MESSAGE = 'application/vnd.microsoft.activity.message';
const ERROR = 'application/vnd.microsoft.error';

const isBag = (value: unknown): value is Bag =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const unreachable = (why: string): Outcome => ({ kind: 'unreachable', why });

const cardOutcome = (card: unknown): Outcome => {
  const faults = cardFaults(card);
  return faults.length === 0 ? { kind: 'card', card: card as Bag } : unreachable(faults.join('; '));
};

const answerOutcome = ({ statusCode, type, value }: Bag): Outcome => {
  if (statusCode === 200 && type === CARD) return cardOutcome(value);
  if (statusCode === 200 && type === MESSAGE && typeof value === 'string')
    return { kind: 'message', text: value };
  if (Number(statusCode) >= 400 && type === ERROR && isBag(value) && typeof value.message === 'string')
    return { kind: 'error', text: value.message };
  return unreachable(`${String(statusCode)} ${String(type)}`);
};

export const outcomeOf = ({ status, body }: BotAnswer): Outcome => {
  if (status !== 200) return unreachable(`HTTP ${status}`);
  return isBag(body) && typeof body.statusCode === 'number'
    ? answerOutcome(body)
    : unreachable('no statusCode');
};

export interface InvokeParts {
  readonly entra: Entra;
  readonly tenantId: string;
  readonly serviceUrl: () => string;
}

export class Invokes {
  /** Where the bot listens. */
  botUrl: string | undefined;
  /** A client waits for no longer; a busy machine may need more. */
  patienceMs = 15_000;

  constructor(private readonly parts: InvokeParts) {}

  activity(chat: Chat, user: TeamsUser, more: Bag): Bag {
    const { entra, tenantId, serviceUrl } = this.parts;
    return {
      id: `f:${randomUUID()}`,
      timestamp: new Date().toISOString(),
      channelId: 'msteams',
      serviceUrl: serviceUrl(),
      from: { id: user.mri, name: user.name, aadObjectId: user.aadObjectId },
      conversation: {
        id: chat.id,
        conversationType: chat.kind,
        tenantId,
        ...(chat.kind === 'personal' ? {} : { isGroup: true }),
      },
      recipient: { id: `28:${entra.appId}`, name: 'Triptych' },
      channelData: { tenant: { id: tenantId } },
      ...more,
    };
  }

  async send(activity: Bag, wish: TokenWish & { readonly authorization?: string } = {}): Promise<BotAnswer> {
    if (this.botUrl === undefined) throw new Error('There is no bot to call.');
    const began = performance.now();
    const serviceUrl =
      typeof activity.serviceUrl === 'string' ? activity.serviceUrl : this.parts.serviceUrl();
    const authorization = wish.authorization ?? `Bearer ${await this.parts.entra.sign(serviceUrl, wish)}`;
    const response = await fetch(this.botUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        ...(authorization === '' ? {} : { authorization }),
      },
      body: JSON.stringify(activity),
      signal: AbortSignal.timeout(this.patienceMs),
    });
    const text = await response.text();
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    return { status: response.status, body, ms: performance.now() - began };
  }
}
