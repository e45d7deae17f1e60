/** Knows the programs that may bring decisions, by the keys they sign with, and hears each of their messages once. */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { BRIDGES } from '@triptych/assembly/nest';
import {
  type BridgesFile,
  type CheckingKey,
  type DecisionKey,
  isSignedWith,
  isTimely,
  readCheckingKey,
  readSigned,
} from '@triptych/bridges';
import { storeCall, timeToMs } from '@triptych/platform';
import { REDIS } from '@triptych/platform/nest';
import { isPrintableId, ok, refuse, type Result } from '@triptych/protocol';
import type { Redis } from 'ioredis';
import { KEEP_MS } from '../approvals/once.js';

export interface SignedCall {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Sender {
  readonly key: DecisionKey;
  /** The sender's name of the message. */
  readonly messageId: string;
  /** Under this it has one effect, for the sender's persons together. */
  readonly idempotencyKey: string;
}

const hashOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

@Injectable()
export class SignedSenders {
  private readonly known: readonly { readonly key: DecisionKey; readonly checks: readonly CheckingKey[] }[];

  constructor(
    @Inject(BRIDGES) { bridges }: BridgesFile,
    @Inject(REDIS) private readonly redis: Redis,
  ) {
    this.known = bridges.keys.map((key) => ({
      key,
      checks: key.secrets.flatMap((text) => readCheckingKey(text) ?? []),
    }));
  }

  /** Without keys there is no such door. */
  async recognise({ headers, body }: SignedCall): Promise<Result<Sender>> {
    if (this.known.length === 0) return refuse('NOT_FOUND');
    const message = readSigned(headers, body);
    if (!message.ok) return message;
    const sender = this.known.find(({ checks }) =>
      checks.some((check) => isSignedWith(message.value, check)),
    );
    if (!sender) return refuse('UNAUTHENTICATED', { message: 'No key that is known here signed this.' });
    // By the store's clock: one instance whose clock is off must not take what others refuse.
    if (!isTimely(message.value, timeToMs(await storeCall(this.redis.time()))))
      return refuse('UNAUTHENTICATED', { message: 'webhook-timestamp is more than 300 s off.' });
    const { id } = message.value;
    const given = headers['idempotency-key'] ?? id;
    if (!isPrintableId(given)) return refuse('INVALID_INPUT', { details: { pointer: '/idempotencyKey' } });
    const { key } = sender;
    return ok({ key, messageId: id, idempotencyKey: hashOf('webhook', key.id, given) });
  }

  /** Only the message is signed: who caught it could send it under another Idempotency-Key, or the key's owner by mistake. */
  async heed({ key, messageId, idempotencyKey }: Sender, body: Buffer): Promise<Result<true>> {
    const place = `tt:heard:${hashOf(key.id, messageId)}`;
    const print = hashOf(idempotencyKey, body.toString('base64'));
    if ((await storeCall(this.redis.set(place, print, 'PX', KEEP_MS, 'NX'))) === 'OK') return ok(true);
    const message = 'This webhook-id was used for another message, or with another Idempotency-Key.';
    return (await storeCall(this.redis.get(place))) === print
      ? ok(true)
      : refuse('IDEMPOTENCY_KEY_REUSED', { message });
  }
}
