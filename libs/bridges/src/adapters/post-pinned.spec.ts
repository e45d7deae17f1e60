/** One post, over real sockets: where it goes, how long it may take, and what is made of the answer. */
import { FakeReceiver, type Fault } from '../../../../test/fakes/webhooks/fake-receiver.js';
import { verifies } from '../../../../test/spec/verifies.js';
import type { Address } from '../core/target.js';
import { type Post, postPinned } from './post-pinned.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const HERE: Address = { address: '127.0.0.1', family: 4 };
const CLOUD: Address = { address: '169.254.169.254', family: 4 };
/** Long for a machine that is busy, short for a person who waits. */
const PATIENCE_MS = 20_000;

describe('a post', () => {
  let receiver: FakeReceiver;
  beforeEach(async () => {
    receiver = await FakeReceiver.start([SECRET]);
  });
  afterEach(() => receiver.stop());

  const post = (over: Partial<Post> = {}): Post => ({
    url: new URL(receiver.url),
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{}'),
    reach: { loopback: true, privateHosts: [] },
    timeoutMs: PATIENCE_MS,
    ...over,
  });

  const named = (name: string): URL => new URL(receiver.url.replace('127.0.0.1', name));

  /** A name that leads elsewhere each time it is asked for. */
  const rebinding = (...answers: readonly Address[]) => {
    const asked: string[] = [];
    const resolver = (name: string): Promise<readonly Address[]> => {
      asked.push(name);
      return Promise.resolve([answers[asked.length - 1] ?? CLOUD]);
    };
    return { asked, resolver };
  };

  verifies(
    'BRG-93',
    'threat 22: goes to the address that was judged, whatever the name leads to next',
    async () => {
      const { asked, resolver } = rebinding(HERE, CLOUD);
      const outcome = await postPinned(post({ url: named('rebinding.example') }), resolver);
      expect(outcome).toEqual({ kind: 'answered', status: 401 });
      expect(asked).toEqual(['rebinding.example']);
      expect(receiver.disbelieved).not.toEqual([]);
    },
  );

  verifies('BRG-93', 'threat 22: goes nowhere when the name leads inside', async () => {
    const outcome = await postPinned(post({ url: named('inside.example') }), rebinding(CLOUD).resolver);
    expect(outcome).toMatchObject({ kind: 'barred', why: expect.stringContaining('inside.example') });
  });

  verifies('BRG-93', 'threat 22: by a number for a host is judged as the number it is', async () => {
    const reach = { loopback: false, privateHosts: [] };
    for (const host of ['127.0.0.1', '127.1', '2130706433', '0x7f000001', '017700000001', 'localhost'])
      expect(await postPinned(post({ url: named(host), reach }))).toMatchObject({ kind: 'barred' });
    expect(receiver.disbelieved).toEqual([]);
  });

  verifies('BRG-93', 'threat 22: follows no redirect', async () => {
    const elsewhere = await FakeReceiver.start([SECRET]);
    receiver.meet({ kind: 'answer', status: 307, headers: { location: elsewhere.url } });
    expect(await postPinned(post())).toEqual({ kind: 'answered', status: 307 });
    expect(elsewhere.disbelieved).toEqual([]);
    await elsewhere.stop();
  });

  verifies('BRG-94', 'is over when its time is, also for a name that nobody resolves', async () => {
    receiver.meet({ kind: 'silence' });
    expect(await postPinned(post({ timeoutMs: 300 }))).toMatchObject({ kind: 'unanswered', sent: true });
    const never = () => new Promise<readonly Address[]>(() => undefined);
    expect(await postPinned(post({ timeoutMs: 50 }), never)).toMatchObject({
      kind: 'unanswered',
      sent: false,
      why: 'TimeoutError',
    });
  });

  const faults: readonly (readonly [string, Fault, object])[] = [
    [
      'that was taken and not answered may have arrived',
      { kind: 'drop' },
      { kind: 'unanswered', sent: true },
    ],
    [
      'tells how long to wait',
      { kind: 'answer', status: 429, headers: { 'retry-after': '7' } },
      { kind: 'answered', status: 429, retryAfter: '7' },
    ],
  ];
  for (const [what, fault, outcome] of faults)
    verifies('BRG-94', what, async () => {
      receiver.meet(fault);
      expect(await postPinned(post())).toMatchObject(outcome);
    });

  verifies('BRG-94', 'to a port where nobody listens did not arrive', async () => {
    const gone = await FakeReceiver.start([SECRET]);
    const url = new URL(gone.url);
    await gone.stop();
    expect(await postPinned(post({ url }))).toEqual({ kind: 'unanswered', sent: false, why: 'ECONNREFUSED' });
  });

  verifies('BRG-94', 'is not held up by an answer without end', async () => {
    receiver.meet({ kind: 'answer', status: 200, body: 'x'.repeat(4 * 1024 * 1024) });
    expect(await postPinned(post())).toEqual({ kind: 'answered', status: 200 });
  });
});
