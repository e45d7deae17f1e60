/** People press buttons in Slack: what comes of it, what they are told, and what comes of all that is sent twice. */
import { until } from '@triptych/testkit';
import { sealedIn } from '../stand/sealed.js';
import { verifies } from '../spec/verifies.js';
import { interaction } from '../fakes/slack/hub-calls.js';
import { CHANNEL, OLD_SECRET, SLACK_PEOPLE, SlackDesk } from './slack-desk.js';

const UP_MS = 120_000;
const TRY_MS = 60_000;

const RULES = `
    - id: pay
      match: { tool: pay }
      chat: true
      quorum: 1
      reasonRequired: [reject]
    - { id: ask, match: { reason: input_required }, chat: true }
`;
const EDITABLE = {
  type: 'object',
  properties: { approved: { type: 'boolean' }, editedArgs: { type: 'object' }, reason: { type: 'string' } },
};
const pay = (amount = 5) => ({ tool: 'pay', args: { amount, to: 'x' }, schema: EDITABLE });

let desk: SlackDesk;
beforeAll(async () => {
  desk = await SlackDesk.start({ rules: RULES, hubs: 2 });
}, UP_MS);
afterAll(async () => {
  await desk?.stop();
}, UP_MS);
afterEach(() => {
  desk.slack.world.ephemerals.length = 0;
  desk.slack.world.views.clear();
  desk.slack.hub.copies = 1;
});

const post = (path: string, init: RequestInit): Promise<Response> =>
  fetch(`${desk.slack.hub.hubUrl}/v1/bridges/slack/${path}`, { method: 'POST', ...init });

describe('the door of Slack', () => {
  verifies(
    'BRG-46',
    'lets a linked person approve with a button: the decision is theirs, by Slack',
    async () => {
      const { task, ts } = await desk.card('approve', pay());
      const ack = await desk.press('ann', ts, 'approve');
      expect(ack).toMatchObject({ status: 200, body: {} });
      const { decision } = await desk.decided(task.taskId);
      expect(decision).toMatchObject({ kind: 'approved', by: ['ann'] });
      await desk.quiet();
      expect(desk.slack.world.ephemerals).toEqual([]);
      await until(async () =>
        (await sealedIn(desk.office.redis)).some(
          ({ text, record }) => record.subject.task === task.taskId && text.includes('"via":"slack"'),
        ),
      );
    },
    TRY_MS,
  );

  verifies(
    'BRG-46',
    'lets them approve whatever the size of what is asked: a button holds none of it (CH-06)',
    async () => {
      for (const [thread, size] of [
        ['large', 10_000],
        ['huge', 900_000],
      ] as const) {
        const { task, ts } = await desk.card(thread, { ...pay(), args: { prompt: '<&>'.repeat(size / 3) } });
        await desk.press('ann', ts, 'approve');
        expect((await desk.decided(task.taskId)).decision).toMatchObject({ kind: 'approved', by: ['ann'] });
        // What the card is changed to fits as well (CH-05).
        const posted = `${CHANNEL} ${ts}`;
        expect(await desk.show(await desk.office.task(task.taskId), posted)).toMatchObject({ kind: 'shown' });
        expect(JSON.stringify(desk.slack.world.find(CHANNEL, ts)?.blocks)).not.toContain('tt.approve');
      }
    },
    TRY_MS,
  );

  verifies(
    'BRG-46',
    'lets a linked person take a task up',
    async () => {
      const { task, ts } = await desk.card('claim', pay());
      await desk.press('ann', ts, 'claim');
      await desk.quiet();
      expect((await desk.office.task(task.taskId)).claim?.by).toBe('ann');
    },
    TRY_MS,
  );

  verifies(
    'BRG-46',
    'does what a hub that died had acknowledged, or tells its person that it is too late',
    async () => {
      const { task, ts } = await desk.card('left', pay());
      await desk.leave('ann', ts, 'approve', 20_000);
      expect((await desk.decided(task.taskId)).decision).toMatchObject({ kind: 'approved', by: ['ann'] });
      const { task: old, ts: oldTs } = await desk.card('left-long', pay());
      await desk.leave('bob', oldTs, 'approve', 6 * 60_000);
      expect((await desk.told('bob'))[0]).toContain('could not be done in time');
      await desk.quiet();
      expect((await desk.office.task(old.taskId)).decision).toBeUndefined();
    },
    TRY_MS,
  );

  verifies(
    'BRG-47',
    'does once what is sent again, at once or later, numbered or not (CH-03, threat 6)',
    async () => {
      const { task, ts } = await desk.card('again', pay());
      desk.slack.hub.copies = 3;
      await desk.press('ann', ts, 'approve');
      await desk.decided(task.taskId);
      await desk.quiet();
      expect((await desk.office.task(task.taskId)).votes).toHaveLength(1);
      expect(desk.slack.world.ephemerals).toEqual([]);
      // A captured request, word for word, while its signature is good.
      const { ts: other, task: second } = await desk.card('replayed', pay());
      const payload = {
        type: 'block_actions',
        team: { id: 'T0HOME' },
        api_app_id: 'A0HUB',
        trigger_id: 't',
        user: { id: SLACK_PEOPLE.ann, team_id: 'T0HOME' },
        container: { channel_id: CHANNEL, message_ts: other },
        actions: [{ action_id: 'tt.claim', action_ts: '7.7', value: await valueOf(other) }],
      };
      const { body } = interaction(payload);
      const headers = { 'content-type': 'application/x-www-form-urlencoded', ...desk.slack.hub.signed(body) };
      const statuses = [];
      for (let nth = 0; nth < 3; nth += 1)
        statuses.push((await post('interactions', { body, headers })).status);
      expect(statuses).toEqual([200, 200, 200]);
      await desk.quiet();
      const { rev } = await desk.office.task(second.taskId);
      expect(rev).toBe(second.rev + 1);
    },
    TRY_MS,
  );

  verifies(
    'BRG-45',
    'takes the very bytes that Slack signed, by the new secret and the one before, and nothing else (CH-01, threat 6)',
    async () => {
      const { body } = interaction({ type: 'other', odd: 'a b+c 😀', z: 1, a: 2 });
      const type = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
      const status = async (headers: Record<string, string>, sent = body) =>
        (await post('interactions', { body: sent, headers: { ...type, ...headers } })).status;
      const sign = (...asked: Parameters<typeof desk.slack.hub.signed>) => desk.slack.hub.signed(...asked);
      expect(await status(sign(body))).toBe(200);
      expect(await status(sign(body, { secret: OLD_SECRET }))).toBe(200);
      expect(await status(sign(body, { secret: 'another' }))).toBe(401);
      expect(await status(sign(body, { skewSeconds: -301 }))).toBe(401);
      expect(await status(sign(body, { skewSeconds: 302 }))).toBe(401);
      expect(await status({})).toBe(401);
      expect(await status(sign(body), `${body}&x=1`)).toBe(401);
      const large = `payload=${'x'.repeat(1_000_000)}`;
      expect(await status(sign(large), large)).toBe(400);
      expect(
        (
          await post('events', {
            body: '{"type":"url_verification","challenge":"c"}',
            headers: {
              'content-type': 'application/json',
              ...sign('{"type":"url_verification","challenge":"c"}'),
            },
          })
        ).status,
      ).toBe(200);
    },
    TRY_MS,
  );

  verifies(
    'BRG-45',
    'is not there where Slack is not set up',
    async () => {
      const { body } = interaction({ type: 'other' });
      for (const path of ['interactions', 'events']) {
        const url = `${desk.office.house.hubs[1]?.directUrl ?? ''}/v1/bridges/slack/${path}`;
        expect(
          (await fetch(url, { method: 'POST', body, headers: desk.slack.hub.signed(body) })).status,
        ).toBe(404);
      }
    },
    TRY_MS,
  );

  verifies(
    'BRG-53',
    'tells whoever came too late who decided, and when',
    async () => {
      const { task, ts } = await desk.card('late', pay());
      await desk.press('ann', ts, 'approve');
      await desk.decided(task.taskId);
      await desk.press('bob', ts, 'approve');
      expect((await desk.told('bob'))[0]).toMatch(/^Approved by ANN \d+ (?:s|min) ago\.$/u);
    },
    TRY_MS,
  );

  verifies(
    'BRG-51',
    'approves nothing that the card did not show (threat 4)',
    async () => {
      const { task, ts } = await desk.card('swapped', pay());
      const { taskId, rev, proposalHash } = task;
      const edit = { verb: 'approve', rev, proposalHash, editedArgs: { amount: 9_000, to: 'y' } };
      const edited = await desk.office.as('bob').ask<{ rev: number }>(`/v1/approvals/${taskId}/decide`, edit);
      expect(edited.code).toBe('ok');
      await desk.press('ann', ts, 'approve');
      expect(await desk.told('ann')).toHaveLength(1);
      const forged = (await valueOf(ts)).replace(/^t1\.(.+)\.\d+\./u, `t1.$1.${rev + 1}.`);
      await desk.press('ann', ts, 'approve', { value: forged });
      expect((await desk.told('ann', 2))[1]).toContain('nothing here');
    },
    TRY_MS,
  );

  verifies(
    'BRG-52',
    'asks why in a modal, says beside its input what is missing, and rejects',
    async () => {
      const { task, ts } = await desk.card('reject', pay());
      await desk.press('ann', ts, 'reject');
      const { id } = await desk.modalOf('ann');
      const missing = await desk.slack.hub.submit({ view: id, values: {} });
      expect(missing.body).toMatchObject({
        response_action: 'errors',
        errors: { 'f.0': expect.any(String) },
      });
      expect((await desk.office.task(task.taskId)).decision).toBeUndefined();
      const done = await desk.slack.hub.submit({ view: id, values: { 'f.0': 'too much' } });
      expect(done).toMatchObject({ status: 200, body: {} });
      const { decision } = await desk.office.task(task.taskId);
      expect(decision).toMatchObject({ kind: 'rejected', by: ['ann'], reason: 'too much' });
      expect(desk.slack.world.views.size).toBe(0);
    },
    TRY_MS,
  );

  verifies(
    'BRG-52',
    'approves other arguments by a form that holds those there are',
    async () => {
      const { task, ts } = await desk.card('edit', pay());
      await desk.press('ann', ts, 'edit');
      const { id } = await desk.modalOf('ann');
      const done = await desk.slack.hub.submit({ view: id, values: { 'f.0': '4' } });
      expect(done).toMatchObject({ status: 200, body: {} });
      expect((await desk.office.task(task.taskId)).edit).toMatchObject({
        by: 'ann',
        args: { amount: 4, to: 'x' },
      });
    },
    TRY_MS,
  );

  verifies(
    'BRG-52',
    'answers a question by the form of its schema; a submission sent twice is one',
    async () => {
      const schema = {
        type: 'object',
        properties: { level: { enum: ['low', 'high'] } },
        required: ['level'],
      };
      const { task, ts } = await desk.card('respond', {
        tool: 'ask',
        args: {},
        reason: 'input_required',
        schema,
      });
      await desk.press('ann', ts, 'respond');
      const { id } = await desk.modalOf('ann');
      desk.slack.hub.copies = 2;
      const done = await desk.slack.hub.submit({ view: id, values: { 'f.0': '1' } });
      expect(done).toMatchObject({ status: 200, body: {} });
      const { decision } = await desk.office.task(task.taskId);
      expect(decision).toMatchObject({ kind: 'responded', payload: { level: 'high' } });
    },
    TRY_MS,
  );

  verifies(
    'BRG-52',
    'says in the modal when somebody else was faster',
    async () => {
      const { task, ts } = await desk.card('faster', pay());
      await desk.press('ann', ts, 'reject');
      const { id } = await desk.modalOf('ann');
      await desk.press('bob', ts, 'approve');
      await desk.decided(task.taskId);
      const { body } = await desk.slack.hub.submit({ view: id, values: { 'f.0': 'no' } });
      expect(body).toMatchObject({ response_action: 'update' });
      expect(JSON.stringify(body)).toMatch(/Approved by BOB/u);
    },
    TRY_MS,
  );

  verifies(
    'BRG-52',
    'leads to the console when the modal does not open in time',
    async () => {
      const { ts } = await desk.card('slow', pay());
      desk.slack.faults.next('views.open', 'slow');
      const ack = await desk.press('ann', ts, 'reject');
      expect(ack.status).toBe(200);
      const [told] = (await desk.told('ann'), desk.slack.world.ephemerals);
      expect(JSON.stringify(told?.blocks)).toContain('/reviewer?task=');
      expect(desk.slack.hub.late).toEqual([]);
    },
    TRY_MS,
  );

  verifies(
    'BRG-55',
    'does nothing for who only looks: a GET is no decision, a link leads to the console (threat 7)',
    async () => {
      const { task, ts } = await desk.card('looked', pay());
      const value = await valueOf(ts);
      for (const path of ['interactions', `interactions?payload=${encodeURIComponent(value)}`, 'events'])
        expect((await fetch(`${desk.slack.hub.hubUrl}/v1/bridges/slack/${path}`)).status).toBe(404);
      await desk.slack.hub.click({ user: SLACK_PEOPLE.ann, channel: CHANNEL, ts, action: 'tt.open' });
      expect((await desk.office.task(task.taskId)).decision).toBeUndefined();
    },
    TRY_MS,
  );
});

/** Of the first button that has one. */
const valueOf = async (ts: string): Promise<string> =>
  /t1\.[\w.-]+/u.exec(JSON.stringify(desk.slack.world.find(CHANNEL, ts)?.blocks))?.[0] ?? '';
