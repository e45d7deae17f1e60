/** Sends letters about tasks by SMTP. */
import { createTransport, type NodemailerError } from 'nodemailer';
import type { Bridge, Delivery, Notice } from '../../core/bridge.js';
import { ENDPOINT_SCHEDULE } from '../../core/retry.js';
import { afterFailure } from '../core/after-failure.js';
import { letterFor } from '../core/letter.js';
import { type Occasion, occasionOf } from '../core/occasion.js';
import { smtpOptions } from '../core/smtp-options.js';
import { SendingWatch } from './sending-watch.js';

export interface MailParts {
  readonly smtpUrl: string;
  /** As the head of a letter has it: `Name <name@example.com>`. */
  readonly from: string;
}

/** How long a server may take to be reached, and to say its next word. */
const CONNECT_MS = 5_000;
const SILENCE_MS = 10_000;
/** Whoever says a word now and then gets no further than the port allows. */
const WHOLE_MS = 18_000;

const TRANSPORT = {
  ...{ connectionTimeout: CONNECT_MS, greetingTimeout: CONNECT_MS, dnsTimeout: CONNECT_MS },
  ...{ socketTimeout: SILENCE_MS, disableFileAccess: true, disableUrlAccess: true },
};

/** So that no program answers it. */
const HEADERS = { 'Auto-Submitted': 'auto-generated' };

export class MailBridge implements Bridge<'mail'> {
  readonly kind = 'mail';
  /** Servers count letters by the minute. */
  readonly gapMs = 1_000;
  readonly schedule = ENDPOINT_SCHEDULE;

  constructor(private readonly parts: MailParts) {}

  async show(notice: Notice<'mail'>): Promise<Delivery> {
    const occasion = occasionOf(notice);
    return occasion
      ? this.tell(notice, occasion)
      : { kind: 'shown', posted: notice.posted ?? notice.changeId };
  }

  /** One connection a letter: what became of this one is told by nothing else. */
  private async tell(notice: Notice<'mail'>, what: Occasion): Promise<Delivery> {
    const { from, smtpUrl } = this.parts;
    const letter = letterFor({ ...notice, what });
    const watch = new SendingWatch();
    const server = createTransport({ ...smtpOptions(smtpUrl), ...TRANSPORT, logger: watch });
    try {
      await server.sendMail({
        ...{ from, to: notice.destination.address, ...letter, headers: HEADERS },
        ...(letter.inReplyTo === undefined ? {} : { references: letter.inReplyTo }),
        signal: AbortSignal.timeout(WHOLE_MS),
      });
      return { kind: 'shown', posted: letter.messageId };
    } catch (failure) {
      const { code, responseCode } = failure as NodemailerError;
      return afterFailure({ code, responseCode, sent: watch.allSent, unsure: notice.unsure });
    }
  }
}
