/** Webhooks over real sockets, to a receiver that verifies them with the vendor's library. */
import { randomUUID, createPublicKey, verify } from 'node:crypto';
import type { TaskView } from '@triptych/protocol';
import { FakeReceiver, type Fault } from '../../../../../test/fakes/webhooks/fake-receiver.js';
import { verifies } from '../../../../../test/spec/verifies.js';
import type { Delivery, Notice, What } from '../../core/bridge.js';
import { WebhookBridge } from './webhook-bridge.js';

const [SECRET, NEXT] = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'];
const PRIVATE =
  'whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==';
const PUBLIC = '1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=';
const CANARY = 'CH93-0000-canary';

const task: TaskView = {
  ...{ taskId: 'b-1.t-1', rev: 3, state: 'pending', threadId: 'th', runId: 'r', agentId: 'onboarding' },
  ...{ interruptId: 'i', source: 'interrupt', reason: 'tool_call', message: `Pay ${CANARY}` },
  proposal: { toolName: 'openAccount', args: { iban: CANARY } },
  ...{ proposalHash: 'hash', audience: 'reviewer', groups: ['advisors'], priority: 50, requester: 'amelia' },
  ...{ createdAt: 1_700_000_000_000, expiresAt: 1_702_592_000_000 },
  ...{ votes: [], quorum: { needed: 2, have: 0 }, may: [] },
  batch: { batchId: 'b-1', state: 'open', open: 1, total: 1 },
  policy: { rule: 'large-transfer', version: 'v1', matched: [] },
};

describe('a webhook', () => {
  let receiver: FakeReceiver;
  let bridge: WebhookBridge;
  beforeEach(async () => {
    receiver = await FakeReceiver.start([SECRET]);
    const reach = { loopback: true, privateHosts: [] };
    bridge = new WebhookBridge({ clock: { now: () => Date.now() }, reach });
  });
  afterEach(() => receiver.stop());

  const notice = (over: Partial<Notice<'webhook'>> = {}, to: object = {}): Notice<'webhook'> => ({
    ...{ noticeId: 'notice', changeId: randomUUID(), task, names: {}, what: 'created' },
    ...{ chat: true, link: 'https://hub.example/reviewer?task=b-1.t-1', unsure: false },
    destination: {
      ...{ id: 'crm', kind: 'webhook', tenant: 'default', address: receiver.url },
      ...{ args: { whole: true } as never, secrets: [SECRET], payload: 'thin', ...to },
    },
    ...over,
  });

  verifies('BRG-95', 'names the task and what became of it, and says nothing of what is in it', async () => {
    const asked = notice();
    expect(await bridge.show(asked)).toEqual({ kind: 'shown', posted: asked.changeId });
    const [message] = [...receiver.messages.values()];
    expect(message).toMatchObject({ id: asked.changeId, type: 'task.created' });
    expect(message?.data).toEqual({
      ...{ taskId: 'b-1.t-1', rev: 3, state: 'pending', threadId: 'th', runId: 'r', agentId: 'onboarding' },
      ...{ interruptId: 'i', batchId: 'b-1', rule: 'large-transfer' },
    });
    expect(message?.raw).not.toContain(CANARY);
  });

  verifies(
    'BRG-95',
    'holds the task as the destination may see it where the file asks for that',
    async () => {
      await bridge.show(notice({}, { payload: 'full' }));
      const { may: _nobodys, ...shown } = task;
      expect([...receiver.messages.values()][0]?.data).toMatchObject({ task: shown });
      expect([...receiver.messages.values()][0]?.data['task']).not.toHaveProperty('may');
    },
  );

  const TYPES: readonly (readonly [What, string | undefined])[] = [
    ['created', 'task.created'],
    ['claimed', 'task.claimed'],
    ['decided', 'task.decided'],
    ['expired', 'task.expired'],
    ['escalated', 'task.escalated'],
    ['resumed', 'batch.resumed'],
    ['failed', 'batch.failed'],
    ['changed', undefined],
  ];
  for (const [what, type] of TYPES)
    verifies('BRG-95', `of what is ${what} is ${type ?? 'not sent'}`, async () => {
      expect((await bridge.show(notice({ what }))).kind).toBe('shown');
      expect([...receiver.messages.values()].map((message) => message.type)).toEqual(type ? [type] : []);
    });

  verifies(
    'BRG-90',
    'is believed by whoever has the old secret, and by whoever has the new one',
    async () => {
      for (const secret of [SECRET, NEXT]) {
        receiver.rotateTo([secret]);
        expect((await bridge.show(notice({}, { secrets: [NEXT, SECRET] }))).kind).toBe('shown');
      }
      receiver.rotateTo([`whsec_${Buffer.alloc(32).toString('base64')}`]);
      expect(await bridge.show(notice())).toEqual({ kind: 'failed', why: 'it answers 401' });
    },
  );

  verifies('BRG-90', 'is signed with Ed25519 beside HMAC where the file holds such a key', async () => {
    await bridge.show(notice({}, { secrets: [SECRET, PRIVATE] }));
    const { headers, raw, id } = [...receiver.messages.values()][0]!;
    const signature = headers['webhook-signature']!.split(' ').find((part) => part.startsWith('v1a,'))!;
    const spki = Buffer.concat([
      Buffer.from('302a300506032b6570032100', 'hex'),
      Buffer.from(PUBLIC, 'base64'),
    ]);
    const content = Buffer.from(`${id}.${headers['webhook-timestamp']}.${raw}`);
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    expect(verify(null, content, key, Buffer.from(signature.slice(4), 'base64'))).toBe(true);
  });

  verifies(
    'BRG-96',
    'that was sent and lost a hundred times is one message to its receiver each',
    async () => {
      const hundred = Array.from({ length: 100 }, () => notice());
      receiver.meet(...hundred.map((): Fault => ({ kind: 'drop' })));
      const kinds = (deliveries: readonly Delivery[]) => new Set(deliveries.map(({ kind }) => kind));
      expect(kinds(await Promise.all(hundred.map((each) => bridge.show(each))))).toEqual(new Set(['unsure']));
      const again = await Promise.all(hundred.map((each) => bridge.show({ ...each, unsure: true })));
      expect(kinds(again)).toEqual(new Set(['shown']));
      expect(receiver.deliveries).toHaveLength(200);
      expect(receiver.messages.size).toBe(100);
    },
  );

  const answers: readonly (readonly [string, Fault, object])[] = [
    [
      'moved',
      { kind: 'answer', status: 308, headers: { location: 'http://127.0.0.1:1/' } },
      { kind: 'failed' },
    ],
    ['broken', { kind: 'answer', status: 500 }, { kind: 'failed', why: 'it answers 500' }],
    ['away', { kind: 'answer', status: 503 }, { kind: 'failed' }],
    [
      'away for a while',
      { kind: 'answer', status: 503, headers: { 'retry-after': '3' } },
      { retryAfterMs: 3_000 },
    ],
    [
      'busy',
      { kind: 'answer', status: 429, headers: { 'retry-after': '0' } },
      { kind: 'later', retryAfterMs: 1_000 },
    ],
    ['busy and silent', { kind: 'answer', status: 429 }, { kind: 'later', retryAfterMs: 60_000 }],
    [
      'busy for a year',
      { kind: 'answer', status: 429, headers: { 'retry-after': '31536000' } },
      { kind: 'later', retryAfterMs: 900_000 },
    ],
    ['gone', { kind: 'answer', status: 410 }, { kind: 'gone' }],
    ['cut off', { kind: 'reset' }, {}],
  ];
  for (const [what, fault, delivery] of answers)
    verifies('BRG-97', `whose endpoint is ${what}`, async () => {
      receiver.meet(fault);
      expect(await bridge.show(notice())).toMatchObject(delivery);
      expect(receiver.messages.size).toBe(0);
    });

  verifies('BRG-97', 'to an address inside is refused, and goes nowhere', async () => {
    const outside = new WebhookBridge({
      clock: { now: () => Date.now() },
      reach: { loopback: false, privateHosts: [] },
    });
    expect(await outside.show(notice())).toMatchObject({ kind: 'refused' });
    expect(receiver.messages.size).toBe(0);
  });
});
