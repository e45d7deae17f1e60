/** Proves on the running product that programs bring decisions of linked people, signed, once, and with no right that is not theirs. */
import { generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TaskView } from '@triptych/protocol';
import { until } from '@triptych/testkit';
import { Webhook } from 'standardwebhooks';
import { verifies } from '../spec/verifies.js';
import { trailOf } from './trail-of.js';
import { RITA, UP_MS, VerbsStage, type Answered, type Told } from './verbs-stage.js';

const JOURNEY_MS = 90_000;
const DOOR = '/v1/bridges/decisions';

const [SECRET, NEXT] = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'];
const PAIR = generateKeyPairSync('ed25519');
const PUBLIC = `whpk_${PAIR.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64')}`;

const BRIDGES = `
keys:
  - { id: crm, secrets: ['${SECRET}', '${NEXT}'], rules: ['careful', 'quiet'] }
  - { id: engine, secrets: ['${PUBLIC}'], tools: ['pay'] }
people:
  - subject: rita
    roles: [reviewer]
    groups: [desk]
    linked: [{ kind: webhook, id: 'crm:u-rita' }, { kind: webhook, id: 'engine:u-rita' }]
  - { subject: stan, roles: [reviewer], groups: [other], linked: [{ kind: webhook, id: 'crm:u-stan' }] }
  - { subject: amelia, roles: [reviewer], groups: [desk], linked: [{ kind: webhook, id: 'crm:u-amelia' }] }
  - { subject: olga, roles: [operator], linked: [{ kind: webhook, id: 'crm:u-olga' }] }
  - { subject: fred, tenant: other, roles: [operator], linked: [{ kind: webhook, id: 'crm:u-fred' }] }
`;

const POLICY = `surfaces:
  reviewer: { tools: { '*': { args: [''], result: [''] } } }
approvals:
  rules:
    - { id: careful, match: { tool: pay }, groups: [desk], chat: true, undoMs: 60000, ttlMs: 3600000 }
    - { id: quiet, match: { tool: wire }, groups: [desk], ttlMs: 3600000 }
    - { id: plain, match: { tool: tip }, groups: [desk], chat: true, ttlMs: 3600000 }
`;

let stage: VerbsStage;
let dir: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'triptych-decisions-'));
  writeFileSync(join(dir, 'bridges.yaml'), BRIDGES);
  stage = await VerbsStage.start({ BRIDGES_FILE: join(dir, 'bridges.yaml') }, POLICY);
}, UP_MS);
afterAll(async () => {
  await stage?.stop();
  rmSync(dir, { recursive: true, force: true });
}, UP_MS);

interface Sent {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Signing {
  readonly id?: string;
  readonly secret?: string;
  /** Seconds from now. */
  readonly at?: number;
}

const signed = (body: string, { id = randomUUID(), secret = SECRET, at = 0 }: Signing = {}): Sent => {
  const when = new Date(Date.now() + at * 1000);
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(when.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, when, body),
  };
  return { body, headers };
};

const signedWithKey = (body: string, key: KeyObject): Sent => {
  const [id, at] = [randomUUID(), String(Math.floor(Date.now() / 1000))];
  const signature = sign(null, Buffer.from(`${id}.${at}.${body}`), key).toString('base64');
  return {
    body,
    headers: { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': `v1a,${signature}` },
  };
};

const bring = async ({ body, headers }: Sent, more: Record<string, string> = {}): Promise<Answered<Told>> => {
  const response = await fetch(`${stage.product.url}${DOOR}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers, ...more },
    body,
  });
  return { status: response.status, value: (await response.json()) as Told };
};

const approval = ({ taskId, rev, proposalHash }: TaskView, over: object = {}): string =>
  JSON.stringify({ taskId, rev, verb: 'approve', proposalHash, onBehalfOf: 'u-rita', ...over });

const codeOf = ({ value }: Answered<Told>): string => value.error?.code ?? 'ok';
const asked = async (tool = 'pay'): Promise<TaskView> =>
  (await stage.asks(`brought-${randomUUID()}`, tool))[0]!;
const read = (task: TaskView): Promise<TaskView> => stage.read(RITA, task.taskId);

describe('a decision that a program brings', () => {
  verifies(
    'BRG-110',
    'is that of the linked person, as if they had come themselves',
    async () => {
      const payment = await asked();
      const held = await bring(signedWithKey(approval(payment, { reason: 'checked' }), PAIR.privateKey));
      expect(held).toMatchObject({
        status: 200,
        value: { state: 'held', decision: { kind: 'approved', by: ['rita'] } },
      });
      const recorded = async () =>
        trailOf(stage.product, { thread: payment.threadId, action: 'task.approve' });
      await until(async () => (await recorded()).length === 1);
      expect((await recorded())[0]).toMatchObject({
        actor: { id: 'rita', role: 'reviewer', via: 'webhook' },
        requestId: expect.stringMatching(/^engine\/./u),
      });
      expect((await read(payment)).history).toContainEqual(expect.objectContaining({ by: 'rita' }));
    },
    JOURNEY_MS,
  );

  verifies(
    'BRG-110',
    'may be signed with the old secret or the new one while they are exchanged',
    async () => {
      for (const secret of [SECRET, NEXT])
        expect(codeOf(await bring(signed(approval(await asked()), { secret })))).toBe('ok');
    },
    JOURNEY_MS,
  );

  verifies(
    'BRG-111',
    'threat 6: has one effect, however often it is sent, also after it was taken back',
    async () => {
      const task = await asked();
      const message = signed(approval(task));
      const first = await bring(message);
      const second = await bring(message);
      expect([first.status, second.status, second.value.state]).toEqual([200, 200, 'held']);
      await stage.verb(RITA, await read(task), 'undo');
      const undone = await read(task);
      expect(undone.state).toBe('claimed');
      expect((await bring(message)).status).toBe(200);
      expect(await read(task)).toMatchObject({ state: 'claimed', rev: undone.rev });
    },
    JOURNEY_MS,
  );

  verifies(
    'BRG-111',
    'threat 6: has one name: another message under it, or it under another Idempotency-Key, is refused',
    async () => {
      const [task, other] = [await asked(), await asked()];
      const [id, key] = [randomUUID(), { 'idempotency-key': 'k-1' }];
      const message = signed(approval(task), { id });
      expect(codeOf(await bring(message, key))).toBe('ok');
      expect(codeOf(await bring(message, key))).toBe('ok');
      expect(codeOf(await bring(message, { 'idempotency-key': 'k-2' }))).toBe('IDEMPOTENCY_KEY_REUSED');
      expect(codeOf(await bring(message))).toBe('IDEMPOTENCY_KEY_REUSED');
      const under = await bring(signed(approval(other), { id }), key);
      expect([under.status, codeOf(under)]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
      expect(codeOf(await bring(signed(approval(other)), key))).toBe('IDEMPOTENCY_KEY_REUSED');
      expect((await read(other)).state).toBe('pending');
    },
    JOURNEY_MS,
  );

  const strangers: readonly (readonly [string, (body: string) => Sent])[] = [
    [
      'signed with a key nobody knows',
      (body) => signed(body, { secret: `whsec_${Buffer.alloc(32).toString('base64')}` }),
    ],
    ['of six minutes ago', (body) => signed(body, { at: -360 })],
    ['of tomorrow', (body) => signed(body, { at: 86_400 })],
    ['of which a byte was changed', (body) => ({ ...signed(body), body: body.replace('u-rita', 'u-olga') })],
    [
      'that was written anew',
      (body) => ({ ...signed(body), body: JSON.stringify(JSON.parse(body), null, 1) }),
    ],
    ['not signed at all', (body) => ({ body, headers: {} })],
  ];
  for (const [what, send] of strangers)
    verifies(
      'BRG-112',
      `threat 6, CH-01: ${what} is UNAUTHENTICATED`,
      async () => {
        const task = await asked();
        const answer = await bring(send(approval(task)));
        expect([answer.status, codeOf(answer)]).toEqual([401, 'UNAUTHENTICATED']);
        expect((await read(task)).state).toBe('pending');
      },
      JOURNEY_MS,
    );

  const persons: readonly (readonly [string, object, string])[] = [
    ['nobody', { onBehalfOf: undefined }, 'INVALID_INPUT'],
    ['whom nobody linked', { onBehalfOf: 'u-nobody' }, 'FORBIDDEN'],
    ['somebody of another tenant', { onBehalfOf: 'u-fred' }, 'FORBIDDEN'],
    ['a reviewer of other tasks', { onBehalfOf: 'u-stan' }, 'NOT_FOUND'],
    ['whoever asked for it', { onBehalfOf: 'u-amelia' }, 'FORBIDDEN'],
    ['an operator', { onBehalfOf: 'u-olga' }, 'FORBIDDEN'],
  ];
  for (const [who, over, code] of persons)
    verifies(
      'BRG-113',
      `threat 8: on behalf of ${who} is ${code}`,
      async () => {
        const task = await asked();
        expect(codeOf(await bring(signed(approval(task, over))))).toBe(code);
        expect(await read(task)).toMatchObject({ state: 'pending', votes: [] });
      },
      JOURNEY_MS,
    );

  verifies(
    'BRG-113',
    'is taken only under a rule that lets chats decide, and only where the key may bring it',
    async () => {
      expect(codeOf(await bring(signed(approval(await asked('wire')))))).toBe('FORBIDDEN');
      const tip = approval(await asked('tip'));
      expect(codeOf(await bring(signed(tip)))).toBe('FORBIDDEN');
      expect(codeOf(await bring(signedWithKey(tip, PAIR.privateKey)))).toBe('FORBIDDEN');
    },
    JOURNEY_MS,
  );

  verifies(
    'BRG-101',
    'threat 7: nothing is decided by opening a link, whoever opens it and whatever it names',
    async () => {
      const task = await asked();
      const paths = [`/reviewer?task=${task.taskId}`, DOOR, `/v1/approvals/${task.taskId}/decide`];
      const query = `verb=approve&proposalHash=${task.proposalHash}&rev=${task.rev}&onBehalfOf=u-rita`;
      for (const path of paths)
        for (const method of ['GET', 'HEAD'])
          for (const url of [path, `${path}${path.includes('?') ? '&' : '?'}${query}`])
            await fetch(`${stage.product.url}${url}`, { method });
      expect(await read(task)).toMatchObject({ state: 'pending', rev: task.rev, votes: [] });
      const page = await fetch(`${stage.product.url}${paths[0]}`);
      expect([page.status, page.headers.get('content-type')]).toEqual([
        200,
        expect.stringContaining('text/html'),
      ]);
    },
    JOURNEY_MS,
  );

  verifies(
    'BRG-114',
    'is judged as every other: stale, decided, malformed',
    async () => {
      const task = await asked();
      const codes = [
        approval(task, { rev: task.rev + 7 }),
        approval(task, { rev: undefined }),
        approval(task, { proposalHash: 'other' }),
        approval(task, { role: 'admin' }),
        approval(task).replace('{', '{"verb":"reject",'),
        'no JSON',
        '[]',
        '',
      ].map(async (body) => codeOf(await bring(signed(body))));
      expect(await Promise.all(codes)).toEqual([
        ...['STALE_REVISION', 'INVALID_INPUT', 'STALE_REVISION'],
        ...['INVALID_INPUT', 'INVALID_INPUT', 'INVALID_INPUT', 'INVALID_INPUT', 'INVALID_INPUT'],
      ]);
      expect((await read(task)).state).toBe('pending');
      expect((await stage.decide(RITA, task, 'reject')).status).toBe(200);
      expect(codeOf(await bring(signed(approval(task))))).toBe('ALREADY_DECIDED');
    },
    JOURNEY_MS,
  );
});
