/** Tells endpoints what happened to a task, signed as Standard Webhooks says. */
import type { Clock } from '@triptych/platform';
import { postPinned, type Post, type Resolver } from '../../adapters/post-pinned.js';
import type { Bridge, Delivery, Notice } from '../../core/bridge.js';
import { deliveryOf } from '../../core/post-outcome.js';
import { ENDPOINT_SCHEDULE } from '../../core/retry.js';
import type { Reach } from '../../core/target.js';
import { readSigningKey, type SigningKey } from '../core/keys.js';
import { payloadOf, webhookTypeOf, type WebhookType } from '../core/payload.js';
import { signatureHeader } from '../core/signature.js';

export interface WebhookParts {
  readonly clock: Clock;
  readonly reach: Reach;
  readonly resolver?: Resolver;
}

/** As the specification advises: a receiver that works longer should take the message first. */
const TIMEOUT_MS = 15_000;

const keysOf = (secrets: readonly string[]): readonly SigningKey[] =>
  secrets.flatMap((text) => readSigningKey(text) ?? []);

export class WebhookBridge implements Bridge<'webhook'> {
  readonly kind = 'webhook';
  /** An endpoint is a program: it takes what comes. */
  readonly gapMs = 0;
  readonly schedule = ENDPOINT_SCHEDULE;
  readonly tellsAll = true;

  constructor(private readonly parts: WebhookParts) {}

  async show(notice: Notice<'webhook'>): Promise<Delivery> {
    const type = webhookTypeOf(notice);
    if (!type) return { kind: 'shown', posted: notice.posted ?? notice.changeId };
    return deliveryOf(await postPinned(this.postOf(notice, type), this.parts.resolver), notice.changeId);
  }

  /** The id stays over all attempts, so that its receiver acts once; the time is that of this attempt. */
  private postOf(notice: Notice<'webhook'>, type: WebhookType): Post {
    const { address, secrets } = notice.destination;
    const now = this.parts.clock.now();
    const body = payloadOf(notice, { type, at: new Date(now).toISOString() });
    const message = { id: notice.changeId, timestamp: Math.floor(now / 1000), body };
    return {
      url: new URL(address),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'triptych',
        'webhook-id': message.id,
        'webhook-timestamp': String(message.timestamp),
        'webhook-signature': signatureHeader(message, keysOf(secrets)),
      },
      body,
      reach: this.parts.reach,
      timeoutMs: TIMEOUT_MS,
    };
  }
}
