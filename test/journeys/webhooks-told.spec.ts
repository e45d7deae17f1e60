/** Proves on the running product that other systems are told of tasks by webhook and by mail, and that an operator sends again what was lost. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@triptych/testkit';
import { Webhook } from 'standardwebhooks';
import { FakeSmtp } from '../fakes/smtp/fake-smtp.js';
import { FakeReceiver } from '../fakes/webhooks/fake-receiver.js';
import { verifies } from '../spec/verifies.js';
import { OLGA, RITA, UP_MS, VerbsStage } from './verbs-stage.js';

const STORY_MS = 120_000;
const [SECRET, KEY] = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'];

const POLICY = `surfaces:
  reviewer: { tools: { '*': { args: [''], result: [''] } } }
approvals:
  rules:
    - { id: careful, match: { tool: pay }, groups: [desk], chat: true, ttlMs: 3600000 }
    - { id: other, match: { tool: tip }, groups: [desk], ttlMs: 3600000 }
`;

const bridgesFor = (hook: string, away: string): string => `
mail: { from: 'Triptych <hub@bank.example>' }
destinations:
  - { id: crm, kind: webhook, address: '${hook}', secrets: ['${SECRET}'], payload: full }
  - { id: away, kind: webhook, address: '${away}', secrets: ['${SECRET}'] }
  - { id: post, kind: mail, address: desk@bank.example }
routes:
  - { match: { rule: careful }, to: [crm, post] }
  - { match: { rule: other }, to: [away] }
people:
  - { subject: rita, name: Rita, roles: [reviewer], groups: [desk], linked: [{ kind: webhook, id: 'crm:u-77' }] }
keys:
  - { id: crm, secrets: ['${KEY}'] }
`;

let [crm, away]: FakeReceiver[] = [];
let post: FakeSmtp;
let stage: VerbsStage;
let dir: string;
beforeAll(async () => {
  [crm, away] = [await FakeReceiver.start([SECRET]), await FakeReceiver.start([SECRET])];
  post = await FakeSmtp.start();
  dir = mkdtempSync(join(tmpdir(), 'triptych-webhooks-'));
  writeFileSync(join(dir, 'bridges.yaml'), bridgesFor(crm.url, away.url));
  stage = await VerbsStage.start({ BRIDGES_FILE: join(dir, 'bridges.yaml'), SMTP_URL: post.url }, POLICY);
}, UP_MS);
afterAll(async () => {
  await stage?.stop();
  await Promise.all([crm?.stop(), away?.stop(), post?.stop()]);
  rmSync(dir, { recursive: true, force: true });
}, UP_MS);

interface ToldTask {
  readonly taskId: string;
  readonly task: { readonly rev: number; readonly proposalHash: string };
}

const typesOf = (receiver: FakeReceiver): readonly string[] =>
  [...receiver.messages.values()].map(({ type }) => type);

/** As a program does that was told of a task: with what it was told, and nothing else. */
const approve = async ({ taskId, task }: ToldTask): Promise<number> => {
  const { rev, proposalHash } = task;
  const body = JSON.stringify({ taskId, rev, proposalHash, verb: 'approve', onBehalfOf: 'u-77' });
  const [id, now] = [randomUUID(), new Date()];
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(KEY).sign(id, now, body),
  };
  const url = `${stage.product.url}/v1/bridges/decisions`;
  return (await fetch(url, { method: 'POST', headers, body })).status;
};

describe('another system', () => {
  verifies(
    'BRG-95',
    'is told of a task, decides it for somebody with what it was told, and hears of the decision',
    async () => {
      await stage.asks('told-1', 'pay');
      await until(() => Promise.resolve(typesOf(crm!).includes('task.created')));
      const [told] = [...crm!.messages.values()];
      expect(await approve(told!.data as unknown as ToldTask)).toBe(200);
      await until(() => Promise.resolve(typesOf(crm!).includes('task.decided')));
      expect(new Set([...crm!.messages.values()].map(({ data }) => data['taskId']))).toEqual(
        new Set([told!.data['taskId']]),
      );
      expect(crm!.disbelieved).toEqual([]);
      await until(() => Promise.resolve(stage.resumed('told-1').length === 1));
    },
    STORY_MS,
  );

  verifies(
    'BRG-100',
    'gets a letter that leads to the task, and one that says who decided it',
    async () => {
      await until(() => Promise.resolve(post.letters.length >= 2));
      const [first, last] = post.letters;
      const link = /https?:\S+\/reviewer\?task=\S+/u.exec(first!.text ?? '')?.[0] ?? '';
      const page = await fetch(link);
      expect([page.status, page.headers.get('content-type')]).toEqual([
        200,
        expect.stringContaining('text/html'),
      ]);
      expect(last).toMatchObject({
        subject: 'Decided: approved · pay',
        inReplyTo: first!.messageId,
        text: expect.stringContaining('By: Rita (rita)'),
      });
    },
    STORY_MS,
  );

  verifies(
    'BRG-96',
    'that was gone is sent what it missed by an operator, under the same id',
    async () => {
      away!.meet({ kind: 'answer', status: 410 });
      const [task] = await stage.asks('told-2', 'tip');
      interface Letter {
        readonly id: string;
        readonly taskId: string;
        readonly why: string;
      }
      const token = await stage.product.token(OLGA);
      const letters = async (): Promise<readonly Letter[]> =>
        (await stage.product.json<{ items: Letter[] }>('/v1/deadletters', { token })).items;
      await until(async () => (await letters()).length === 1);
      const [letter] = await letters();
      expect(letter).toMatchObject({ taskId: task!.taskId, why: expect.stringContaining('410') });
      const resend = () => stage.post(OLGA, `/v1/deadletters/${letter!.id}/resend`, {});
      expect((await stage.post(RITA, `/v1/deadletters/${letter!.id}/resend`, {})).status).toBe(403);
      expect((await resend()).status).toBe(200);
      await until(() => Promise.resolve(away!.messages.size === 1));
      expect([...away!.messages.values()][0]).toMatchObject({
        type: 'task.created',
        data: { taskId: task!.taskId },
      });
      await until(async () => (await letters()).length === 0);
      expect((await resend()).status).toBe(404);
    },
    STORY_MS,
  );
});
