/** Letters over real sockets, to a server that keeps them and reads them as a mail program does. */
import { randomUUID } from 'node:crypto';
import type { TaskView } from '@triptych/protocol';
import { FakeSmtp } from '../../../../../test/fakes/smtp/fake-smtp.js';
import { verifies } from '../../../../../test/spec/verifies.js';
import type { Notice, What } from '../../core/bridge.js';
import { MailBridge } from './mail-bridge.js';

const task: TaskView = {
  ...{ taskId: 'b-1.t-1', rev: 3, state: 'pending', threadId: 'th', runId: 'r', agentId: 'onboarding' },
  ...{ interruptId: 'i', source: 'interrupt', reason: 'tool_call' },
  proposal: { toolName: 'Überweisung', args: { amount: 1_500_000 } },
  ...{ proposalHash: 'hash', audience: 'reviewer', groups: ['advisors'], priority: 50, requester: 'amelia' },
  ...{ createdAt: 1_700_000_000_000, expiresAt: 1_702_592_000_000 },
  ...{ votes: [], quorum: { needed: 2, have: 0 }, may: [] },
  batch: { batchId: 'b-1', state: 'open', open: 1, total: 1 },
  policy: { rule: 'large-transfer', version: 'v1', matched: [] },
};

describe('a letter by SMTP', () => {
  let server: FakeSmtp;
  let bridge: MailBridge;
  beforeEach(async () => {
    server = await FakeSmtp.start();
    bridge = new MailBridge({ smtpUrl: server.url, from: 'Triptych <hub@bank.example>' });
  });
  afterEach(() => server.stop());

  const notice = (over: Partial<Notice<'mail'>> = {}): Notice<'mail'> => ({
    ...{ noticeId: 'notice', changeId: randomUUID(), task, names: {}, what: 'created', chat: true },
    ...{ link: 'https://hub.example/reviewer?task=b-1.t-1', unsure: false },
    destination: {
      ...{ id: 'desk', kind: 'mail', tenant: 'default', address: 'desk@bank.example' },
      args: { whole: true } as never,
    },
    ...over,
  });

  verifies('BRG-100', 'reaches its address in both formats, and says that no person wrote it', async () => {
    expect((await bridge.show(notice())).kind).toBe('shown');
    const [letter] = server.letters;
    expect(letter).toMatchObject({
      envelope: { from: 'hub@bank.example', to: ['desk@bank.example'] },
      ...{
        subject: 'Waiting for a decision · Überweisung',
        from: { name: 'Triptych', address: 'hub@bank.example' },
      },
      text: expect.stringContaining('Argument amount: 1500000'),
      html: expect.stringContaining('<bdi>1500000</bdi>'),
    });
    expect(letter?.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted' }));
  });

  const NEWS: readonly (readonly [What, boolean])[] = [
    ['created', true],
    ['escalated', true],
    ['decided', true],
    ['expired', true],
    ['claimed', false],
    ['changed', false],
    ['resumed', false],
    ['failed', false],
  ];
  for (const [what, sent] of NEWS)
    verifies('BRG-100', `is ${sent ? '' : 'not '}written of what is ${what}`, async () => {
      expect(await bridge.show(notice({ what, posted: 'earlier' }))).toMatchObject({ kind: 'shown' });
      expect(server.letters).toHaveLength(sent ? 1 : 0);
    });

  verifies('BRG-102', 'hangs on the first one about its task', async () => {
    await bridge.show(notice());
    await bridge.show(notice({ what: 'escalated' }));
    await bridge.show(notice({ what: 'decided' }));
    const [first, ...later] = server.letters;
    expect(later.map(({ inReplyTo }) => inReplyTo)).toEqual([first?.messageId, first?.messageId]);
    expect(later.map(({ references }) => references)).toEqual([first?.messageId, first?.messageId]);
    expect(new Set(server.letters.map(({ messageId }) => messageId)).size).toBe(3);
  });

  verifies(
    'BRG-104',
    'of which nobody knows whether it arrived is sent once more under its own name, and no third time',
    async () => {
      server.meet({ kind: 'drop' }, { kind: 'drop' });
      const asked = notice();
      expect((await bridge.show(asked)).kind).toBe('unsure');
      expect((await bridge.show({ ...asked, unsure: true })).kind).toBe('refused');
      expect(server.letters).toHaveLength(2);
      expect(new Set(server.letters.map(({ messageId }) => messageId)).size).toBe(1);
    },
  );

  const answers = [
    [550, 'refused'],
    [451, 'failed'],
    [421, 'failed'],
  ] as const;
  for (const [code, kind] of answers)
    verifies('BRG-104', `answered ${code} is ${kind}`, async () => {
      server.meet({ kind: 'refuse', code });
      expect((await bridge.show(notice())).kind).toBe(kind);
      expect(server.letters).toEqual([]);
    });
});
