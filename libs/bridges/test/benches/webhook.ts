/** The contract's side of an endpoint, which knows a message by its id. */
import { shapeOf } from '@triptych/access';
import { FakeReceiver } from '../../../../test/fakes/webhooks/fake-receiver.js';
import { type BridgeTerms, LIMITED_MS, type Place } from '../../src/contract.js';
import type { DestinationOf } from '../../src/core/destination.js';
import { WebhookBridge } from '../../src/webhook/adapters/webhook-bridge.js';
import { NOWHERE } from './nowhere.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const destinationAt = (address: string): DestinationOf<'webhook'> => ({
  ...{ id: 'crm', kind: 'webhook', tenant: 'default', args: shapeOf(['']), address },
  ...{ secrets: [SECRET], payload: 'thin' },
});

const placeAt = (receiver: FakeReceiver): Place<'webhook'> => ({
  destination: destinationAt(receiver.url),
  found: () => [...receiver.messages.values()].map(({ raw }) => ({ raw, markup: '', buttons: 0 })),
  meet: (trouble) => {
    if (trouble === 'limited')
      receiver.meet({ kind: 'answer', status: 429, headers: { 'retry-after': String(LIMITED_MS / 1_000) } });
    else receiver.meet(trouble === 'never' ? { kind: 'answer', status: 410 } : { kind: trouble });
  },
});

export const webhookTerms: BridgeTerms<'webhook'> = {
  ...{ changes: false, decides: false, limits: true, resends: true, maxBytes: 4 * 1024 },
  marks: [],
  start: () => {
    const receivers: FakeReceiver[] = [];
    const bridge = new WebhookBridge({
      clock: { now: Date.now },
      reach: { loopback: true, privateHosts: [] },
    });
    return Promise.resolve({
      bridge,
      place: async () => {
        const receiver = await FakeReceiver.start([SECRET]);
        receivers.push(receiver);
        return placeAt(receiver);
      },
      astray: () => ({ bridge, destination: destinationAt(NOWHERE) }),
      later: () => Promise.resolve(),
      close: async () => void (await Promise.all(receivers.map((receiver) => receiver.stop()))),
    });
  },
};
