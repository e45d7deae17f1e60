/** Hears of presses on a socket that the hub opens, where Slack cannot reach the hub: Socket Mode. */
import { type DelayBounds, nextDelay } from '@triptych/platform';
import type { WebClient } from '@slack/web-api';
import { WebSocket } from 'ws';
import { type SocketWord, socketWord } from '../core/envelope.js';

export interface SlackSocketParts {
  /** By the app's own token. */
  readonly client: WebClient;
  /** What is answered is acknowledged with it; undefined: it is not, and Slack says it again. */
  readonly hear: (envelope: Envelope) => Promise<{ readonly payload?: object | undefined } | undefined>;
  readonly report: (event: string, fields: Readonly<Record<string, unknown>>) => void;
  /** Rejects when the signal is given. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<unknown>;
  readonly chance: () => number;
}

export type Envelope = Extract<SocketWord, { kind: 'envelope' }>;

/** No envelope is larger. */
const MAX_BYTES = 1024 * 1024;
/** Slack greets at once, and pings every few seconds; a line that says nothing for so long is none. */
const HELLO_MS = 10_000;
const SILENCE_MS = 60_000;
/** Envelopes that are being answered; what comes beyond them is not acknowledged, and comes again. */
const MAX_UNDER_WAY = 200;
const RETRY: DelayBounds = { baseMs: 1_000, capMs: 30_000 };
/** Slack opens no connection once the mode is switched off; somebody may switch it on again. */
const OFF_MS = 60_000;
const OFF = 'link_disabled';

/** How a line ended: greeted or never, and what Slack said of it. */
interface Ended {
  readonly greeted: boolean;
  readonly reason: string;
}

const whyOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export class SlackSocket {
  private readonly ending = new AbortController();
  private underWay = 0;

  constructor(private readonly parts: SlackSocketParts) {}

  /** Until the returned stop, one line after the other. */
  follow(): () => void {
    void this.keepUp();
    return () => this.ending.abort();
  }

  private async keepUp(): Promise<void> {
    const { signal } = this.ending;
    for (let failures = 0; !signal.aborted;) {
      const { greeted, reason } = await this.line().catch((error: unknown): Ended => ({
        greeted: false,
        reason: whyOf(error),
      }));
      failures = greeted ? 0 : failures + 1;
      if (signal.aborted) return;
      this.parts.report('slack.line-ended', { greeted, reason });
      const ms = this.restOf(reason, failures);
      if (ms > 0) await this.parts.sleep(ms, signal).catch(() => undefined);
    }
  }

  /** After a line that worked the next is opened at once. */
  private restOf(reason: string, failures: number): number {
    if (reason === OFF) return OFF_MS;
    return failures === 0 ? 0 : nextDelay(failures, this.parts.chance, RETRY);
  }

  private async line(): Promise<Ended> {
    const { url } = await this.parts.client.apps.connections.open({});
    if (url === undefined || !URL.canParse(url)) throw new Error('Slack named no address.');
    return this.on(new WebSocket(url, { maxPayload: MAX_BYTES, handshakeTimeout: HELLO_MS }));
  }

  private on(socket: WebSocket): Promise<Ended> {
    return new Promise((resolve) => {
      let [greeted, reason] = [false, ''];
      const close = (): void => socket.terminate();
      let silence = setTimeout(close, HELLO_MS);
      const alive = (): void => {
        if (!greeted) return;
        clearTimeout(silence);
        silence = setTimeout(close, SILENCE_MS);
      };
      this.ending.signal.addEventListener('abort', close, { once: true });
      socket.on('ping', alive);
      socket.on('error', (error) => (reason = whyOf(error)));
      socket.on('message', (bytes: Buffer) => {
        const word = socketWord(bytes.toString());
        greeted ||= word.kind === 'hello';
        alive();
        if (word.kind === 'disconnect') {
          reason = word.reason;
          close();
        }
        if (word.kind === 'envelope') void this.answer(socket, word);
      });
      socket.on('close', () => {
        clearTimeout(silence);
        this.ending.signal.removeEventListener('abort', close);
        resolve({ greeted, reason });
      });
    });
  }

  private async answer(socket: WebSocket, envelope: Envelope): Promise<void> {
    if (this.underWay >= MAX_UNDER_WAY) return;
    this.underWay += 1;
    try {
      const ack = await this.parts.hear(envelope);
      if (ack && socket.readyState === WebSocket.OPEN)
        socket.send(JSON.stringify({ envelope_id: envelope.id, ...ack }));
    } catch (error) {
      this.parts.report('slack.not-heard', { error });
    } finally {
      this.underWay -= 1;
    }
  }
}
