/** The contract's side of a mailbox, whose reader knows a letter by its `Message-ID`. */
import { shapeOf } from '@triptych/access';
import { FakeSmtp } from '../../../../test/fakes/smtp/fake-smtp.js';
import type { BridgeTerms, Place } from '../../src/contract.js';
import type { DestinationOf } from '../../src/core/destination.js';
import { MailBridge } from '../../src/mail/adapters/mail-bridge.js';

const FROM = 'Triptych <hub@bank.example>';

const destinationAt = (address: string): DestinationOf<'mail'> => ({
  ...{ id: 'post', kind: 'mail', tenant: 'default', args: shapeOf(['']), address },
});

const placeIn = (server: FakeSmtp, address: string): Place<'mail'> => ({
  destination: destinationAt(address),
  found: () => {
    const own = server.letters.filter(({ envelope }) => envelope.to.includes(address));
    const byId = new Map(own.map((letter) => [letter.messageId, letter]));
    return [...byId.values()].map(({ subject, text, html }) => ({
      raw: [subject, text, html].join('\n'),
      markup: (html ?? '').match(/<[^>]*>/gu)?.join('\n') ?? '',
      buttons: 0,
    }));
  },
  meet: (trouble) =>
    server.meet(
      trouble === 'drop' || trouble === 'reset' ? { kind: trouble } : { kind: 'refuse', code: 550 },
    ),
});

export const mailTerms: BridgeTerms<'mail'> = {
  ...{ changes: false, decides: false, limits: false, resends: true, maxBytes: 64 * 1024 },
  marks: ['<script', '<img', '<at>', 'href="https://evil'],
  start: async () => {
    let made = 0;
    const server = await FakeSmtp.start();
    return {
      bridge: new MailBridge({ smtpUrl: server.url, from: FROM }),
      place: () => Promise.resolve(placeIn(server, `desk-${(made += 1)}@bank.example`)),
      astray: () => ({
        bridge: new MailBridge({ smtpUrl: 'smtp://127.0.0.1:1', from: FROM }),
        destination: destinationAt('desk@bank.example'),
      }),
      later: () => Promise.resolve(),
      close: () => server.stop(),
    };
  },
};
