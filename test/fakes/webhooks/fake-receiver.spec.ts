/** The receiver is as careful as it says, to whoever signs with the vendor's library. */
import { Webhook } from 'standardwebhooks';
import { verifies } from '../../spec/verifies.js';
import { FakeReceiver } from './fake-receiver.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const BODY = '{"type":"task.created","data":{}}';

describe('the fake receiver', () => {
  let receiver: FakeReceiver;
  beforeEach(async () => {
    receiver = await FakeReceiver.start([SECRET]);
  });
  afterEach(() => receiver.stop());

  const send = async (id: string, over: Record<string, string> = {}, when = new Date()): Promise<number> => {
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(when.getTime() / 1000)),
      'webhook-signature': new Webhook(SECRET).sign(id, when, BODY),
      ...over,
    };
    return (await fetch(receiver.url, { method: 'POST', headers, body: BODY })).status;
  };

  verifies('BRG-98', 'takes what the vendor’s library signed, each once', async () => {
    expect([await send('msg_1'), await send('msg_1'), await send('msg_2')]).toEqual([204, 204, 204]);
    expect(receiver.deliveries).toEqual(['msg_1', 'msg_1', 'msg_2']);
    expect([...receiver.messages.keys()]).toEqual(['msg_1', 'msg_2']);
  });

  verifies('BRG-98', 'does not believe what was not', async () => {
    const old = new Date(Date.now() - 600_000);
    expect(await send('msg_1', { 'webhook-signature': 'v1,AAAA' })).toBe(401);
    expect(await send('msg_1', { 'webhook-id': 'msg_2' })).toBe(401);
    expect(await send('msg_1', {}, old)).toBe(401);
    expect(receiver.messages.size).toBe(0);
    expect(receiver.disbelieved).toHaveLength(3);
  });
});
