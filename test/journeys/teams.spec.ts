/** People of a Teams chat decide on the running product: under the rules of everybody, and nobody else. */
import { until } from '@triptych/testkit';
import type { TaskView } from '@triptych/protocol';
import { sealedIn } from '../stand/sealed.js';
import { verifies } from '../spec/verifies.js';
import { TeamsStage } from './teams-stage.js';

const UP_MS = 180_000;
const JOURNEY_MS = 120_000;

/** An answer that may bring other arguments. */
const EDITABLE = {
  type: 'object',
  required: ['approved'],
  properties: { approved: { type: 'boolean' }, editedArgs: { type: 'object' } },
};

let stage: TeamsStage;
beforeAll(async () => {
  stage = await TeamsStage.start();
}, UP_MS);
afterAll(() => stage?.stop(), UP_MS);

const now = ({ taskId }: TaskView): Promise<TaskView> => stage.office.task(taskId);
const textOf = (outcome: unknown): string => JSON.stringify(outcome);

describe('in Teams', () => {
  verifies(
    'BRG-64',
    'a decider sees buttons, everybody else where it stands',
    async () => {
      const { at } = await stage.asked();
      expect(await stage.viewOf('Ann', at)).toContain('hub.approve');
      for (const name of ['Zoe', 'Eve'] as const)
        expect(await stage.viewOf(name, at)).not.toContain('hub.approve');
      expect(stage.teams.complaints).toEqual([]);
    },
    JOURNEY_MS,
  );

  verifies(
    'BRG-77',
    'a linked person decides with their own rights, and sees at once what came of it',
    async () => {
      const { task, at } = await stage.asked();
      await stage.viewOf('Ann', at);
      const outcome = await stage.teams.press(stage.user('Ann'), at, 'Approve');
      expect(outcome).toMatchObject({ kind: 'card' });
      expect(textOf(outcome)).toContain('Approved by Ann Archer');
      expect(textOf(outcome)).not.toContain('Action.Execute');
      expect((await now(task)).decision).toMatchObject({ kind: 'approved', by: ['ann'] });
      await until(async () =>
        (await sealedIn(stage.office.redis)).some(
          ({ record }) =>
            record.action === 'task.approve' &&
            record.subject.task === task.taskId &&
            (record as unknown as { actor: { via: string } }).actor.via === 'teams',
        ),
      );
    },
    JOURNEY_MS,
  );

  verifies(
    'BRG-77',
    'claim, reject with a reason and the answer to a question are theirs as well',
    async () => {
      const one = await stage.asked();
      await stage.viewOf('Ann', one.at);
      expect(textOf(await stage.teams.press(stage.user('Ann'), one.at, 'Claim'))).toContain(
        'Claimed by Ann Archer',
      );
      await stage.teams.press(stage.user('Ann'), one.at, 'Reject', { reason: 'Too much.' });
      expect((await now(one.task)).decision).toMatchObject({ kind: 'rejected', reason: 'Too much.' });
      const schema = { type: 'object', required: ['note'], properties: { note: { type: 'string' } } };
      const two = await stage.asked({ reason: 'input_required', schema });
      await stage.viewOf('Bob', two.at);
      const empty = await stage.teams.press(stage.user('Bob'), two.at, 'Send', {});
      expect(empty).toEqual({ kind: 'error', text: '“note” is missing.' });
      await stage.teams.press(stage.user('Bob'), two.at, 'Send', { i0: 'Fine.' });
      expect((await now(two.task)).decision).toMatchObject({ kind: 'responded', payload: { note: 'Fine.' } });
    },
    JOURNEY_MS,
  );

  verifies(
    'BRG-78',
    'threat 8: who is not linked is told so, nothing is done, and it is on record',
    async () => {
      const { task, at } = await stage.asked();
      await stage.viewOf('Ann', at);
      const approve = JSON.parse(await stage.viewOf('Ann', at)) as {
        actions: { verb?: string; data: unknown }[];
      };
      const { verb, data } = approve.actions.find((action) => action.verb === 'hub.approve')!;
      const pressed = await stage.teams.execute(stage.user('Zoe'), at, { verb, data, trigger: 'manual' });
      expect(pressed).toMatchObject({ kind: 'message' });
      expect(textOf(pressed)).toContain('not linked');
      expect(await now(task)).toMatchObject({ state: 'pending', rev: task.rev });
      await until(async () =>
        (await sealedIn(stage.office.redis)).some(
          ({ record }) => record.action === 'bridge.turned-away' && record.subject.task === task.taskId,
        ),
      );
    },
    JOURNEY_MS,
  );

  verifies(
    'BRG-78',
    'threat 1: a person of another tenant learns nothing, whatever card they hold',
    async () => {
      const { task, at } = await stage.asked({ args: { secret: 'canary' } });
      const { verb, data } = (
        JSON.parse(await stage.viewOf('Ann', at)) as { actions: { verb: string; data: unknown }[] }
      ).actions[0]!;
      for (const asked of [verb, 'hub.refresh', 'hub.claim']) {
        const told = await stage.teams.execute(stage.user('Eve'), at, {
          verb: asked,
          data,
          trigger: 'manual',
        });
        expect(told.kind).toBe('message');
        expect(textOf(told)).not.toContain('canary');
      }
      expect(await now(task)).toMatchObject({ state: 'pending' });
    },
    JOURNEY_MS,
  );

  verifies(
    'BRG-78',
    'threat 5: who asked for it does not approve it by the name they have in Teams',
    async () => {
      const { task, at } = await stage.asked();
      expect(await stage.viewOf('Amelia', at)).not.toContain('hub.approve');
      const { actions } = JSON.parse(await stage.viewOf('Ann', at)) as {
        actions: { verb: string; data: unknown }[];
      };
      const { verb, data } = actions.find((action) => action.verb === 'hub.approve')!;
      const told = await stage.teams.execute(stage.user('Amelia'), at, { verb, data, trigger: 'manual' });
      expect(textOf(told)).toContain('Nothing was done.');
      expect(await now(task)).toMatchObject({ state: 'pending' });
    },
    JOURNEY_MS,
  );

  verifies(
    'BRG-79',
    'threat 4: a card that showed other figures decides nothing, and is drawn anew',
    async () => {
      const { task, at } = await stage.asked({ tool: 'edits', args: { amount: 5 }, schema: EDITABLE });
      await stage.viewOf('Bob', at);
      const { taskId, rev, proposalHash } = task;
      const edit = { verb: 'approve', rev, proposalHash, editedArgs: { amount: 7 } };
      expect((await stage.office.as('ann').ask(`/v1/approvals/${taskId}/decide`, edit)).code).toBe('ok');
      const outcome = await stage.teams.press(stage.user('Bob'), at, 'Approve');
      expect(textOf(outcome)).toContain('Nothing was done.');
      expect(textOf(outcome)).toMatch(/amount: .*"7"/u);
      expect((await now(task)).votes.map(({ by }) => by)).toEqual(['ann']);
      expect(textOf(await stage.teams.press(stage.user('Bob'), at, 'Approve'))).toContain('Approved by');
    },
    JOURNEY_MS,
  );

  verifies(
    'BRG-79',
    'who comes too late is shown who decided',
    async () => {
      const { task, at } = await stage.asked();
      await stage.viewOf('Bob', at);
      const { taskId, rev, proposalHash } = task;
      const no = { verb: 'reject', rev, proposalHash, reason: 'No.' };
      await stage.office.as('ann').ask(`/v1/approvals/${taskId}/decide`, no);
      const outcome = await stage.teams.press(stage.user('Bob'), at, 'Approve');
      expect(textOf(outcome)).toContain('Rejected by Ann Archer');
      expect(textOf(outcome)).not.toContain('Action.Execute');
      expect((await now(task)).decision).toMatchObject({ kind: 'rejected', by: ['ann'] });
    },
    JOURNEY_MS,
  );

  verifies(
    'BRG-78',
    'what its rule does not have decided in chat is not decided there, pressed or forged',
    async () => {
      const { task, at } = await stage.asked({ tool: 'quiet' });
      const view = await stage.viewOf('Ann', at);
      expect(view).not.toContain('hub.approve');
      const { actions } = JSON.parse(view) as { actions: { verb: string; data: unknown }[] };
      const { data } = actions.find(({ verb }) => verb === 'hub.claim')!;
      const told = await stage.teams.execute(stage.user('Ann'), at, {
        verb: 'hub.approve',
        data,
        trigger: 'manual',
      });
      expect(textOf(told)).toContain('Nothing was done.');
      expect(await now(task)).toMatchObject({ state: 'pending' });
    },
    JOURNEY_MS,
  );

  verifies(
    'BRG-83',
    'a card that is pressed where no tasks are shown does nothing, and says so',
    async () => {
      const { task, at } = await stage.asked();
      const { actions } = JSON.parse(await stage.viewOf('Ann', at)) as {
        actions: { verb: string; data: unknown }[];
      };
      const { verb, data } = actions.find((action) => action.verb === 'hub.approve')!;
      const chat = stage.teams.chat('groupChat', 'Elsewhere', stage.user('Ann'));
      await stage.teams.install(chat);
      const pressed = { verb, data, trigger: 'manual' } as const;
      const told = await stage.teams.execute(stage.user('Ann'), { ...at, chat }, pressed);
      expect(told).toMatchObject({ kind: 'message' });
      expect(textOf(told)).toContain('nothing was done');
      expect(await now(task)).toMatchObject({ state: 'pending', rev: task.rev, votes: [] });
    },
    JOURNEY_MS,
  );

  verifies(
    'BRG-62',
    'CH-03, CH-11, threat 6: an invoke that is sent again, or pressed again, decides once and is answered alike',
    async () => {
      const { task, at } = await stage.asked();
      const { actions } = JSON.parse(await stage.viewOf('Ann', at)) as {
        actions: { verb: string; data: unknown }[];
      };
      const { verb, data } = actions.find((action) => action.verb === 'hub.approve')!;
      const value = { action: { type: 'Action.Execute', verb, data }, trigger: 'manual' };
      const more = { type: 'invoke', name: 'adaptiveCard/action', replyToId: at.message.id, value };
      const invoke = stage.teams.invokes.activity(at.chat, stage.user('Ann'), more);
      const answers = await Promise.all([1, 2, 3].map(() => stage.teams.invokes.send(invoke)));
      const again = await stage.teams.invokes.send({
        ...stage.teams.invokes.activity(at.chat, stage.user('Ann'), more),
      });
      for (const { status, body } of [...answers, again]) {
        expect(status).toBe(200);
        expect(textOf(body)).toContain('Approved by Ann Archer');
      }
      const other = { ...invoke, value: { ...value, action: { ...value.action, verb: 'hub.reject' } } };
      expect(await stage.teams.invokes.send(other)).toMatchObject({
        status: 200,
        body: { statusCode: 400, value: { code: 'IDEMPOTENCY_KEY_REUSED' } },
      });
      const decided = await now(task);
      expect(decided.decision).toMatchObject({ kind: 'approved', by: ['ann'] });
      expect(decided.history?.filter(({ action }) => action === 'approve')).toHaveLength(1);
    },
    JOURNEY_MS,
  );

  verifies(
    'BRG-70',
    'old clients press as well: they are told by a message, or see it on the card',
    async () => {
      const { task, at } = await stage.asked();
      const { actions } = JSON.parse(await stage.viewOf('Ann', at)) as {
        actions: { verb: string; fallback: { data: Record<string, unknown> } }[];
      };
      const { data } = actions.find((action) => action.verb === 'hub.approve')!.fallback;
      const before = at.chat.messages.length;
      expect((await stage.teams.submit(stage.user('Zoe'), at, data)).status).toBe(200);
      expect(textOf(at.chat.messages.slice(before).map(({ activity }) => activity))).toContain('not linked');
      expect(await now(task)).toMatchObject({ state: 'pending' });
      expect((await stage.teams.submit(stage.user('Ann'), at, data)).status).toBe(200);
      expect((await now(task)).decision).toMatchObject({ kind: 'approved', by: ['ann'] });
    },
    JOURNEY_MS,
  );

  verifies(
    'BRG-66',
    'CH-06: proposals of 10 kB and of 1 MB are decided from their cards',
    async () => {
      for (const size of [10_000, 900_000]) {
        const { task, at } = await stage.asked({ args: { prompt: 'x'.repeat(size) } });
        await stage.viewOf('Ann', at);
        await stage.teams.press(stage.user('Ann'), at, 'Approve');
        expect((await now(task)).decision).toMatchObject({ kind: 'approved' });
      }
    },
    JOURNEY_MS,
  );

  verifies(
    'BRG-80',
    'what the conversation may not see is in no view of it, whoever looks',
    async () => {
      const { at } = await stage.asked({ args: { amount: 5, iban: 'CH93-canary' } });
      for (const name of ['Ann', 'Bob', 'Amelia', 'Zoe'] as const) {
        const view = await stage.viewOf(name, at);
        expect(view).not.toContain('canary');
        expect(view).toContain('amount');
      }
      await stage.viewOf('Ann', at);
      expect(textOf(await stage.teams.press(stage.user('Ann'), at, 'Approve'))).not.toContain('canary');
    },
    JOURNEY_MS,
  );

  verifies(
    'BRG-60',
    'threat 10: the door itself lets in nothing that is not from Teams or not for us',
    async () => {
      const { chat, teams } = stage;
      const activity = teams.invokes.activity(chat, stage.user('Ann'), { type: 'message', text: 'hi' });
      const told = async (wish: object, over: object = {}) =>
        (await teams.invokes.send({ ...activity, ...over }, wish)).status;
      expect(await told({})).toBe(200);
      expect(await told({ authorization: '' })).toBe(401);
      expect(await told({ by: 'stranger' })).toBe(401);
      expect(await told({ claims: { serviceurl: undefined } })).toBe(401);
      expect(await told({}, { channelData: { tenant: { id: 'foreign' } } })).toBe(403);
      expect(await told({}, { recipient: { id: '28:other' } })).toBe(403);
      const url = `${stage.office.house.hub.directUrl}/v1/bridges/teams/messages`;
      const authorization = `Bearer ${await teams.entra.sign(teams.serviceUrl)}`;
      for (const body of ['', 'x', '[]', '['.repeat(100_000), '{"type":1}'])
        expect((await fetch(url, { method: 'POST', body, headers: { authorization } })).status).toBe(400);
    },
    JOURNEY_MS,
  );

  verifies(
    'BRG-81',
    'a task that is routed there has its card, and whoever decides wherever, everybody’s card shows it',
    async () => {
      const { teams, chat, office } = stage;
      for (const name of ['Ann', 'Bob'] as const) await teams.watch(stage.user(name), chat);
      const [task] = await office.ask('teams-routed', {
        tool: 'routed',
        args: { amount: 41, iban: 'CH-canary' },
      });
      const cards = () => teams.cards(chat).filter(({ activity }) => textOf(activity).includes('routed'));
      await until(() => Promise.resolve(cards().length === 1));
      const [message] = cards();
      const shown = (name: 'Ann' | 'Bob' | 'Zoe') => textOf(teams.seenBy(stage.user(name), message!));
      await until(() =>
        Promise.resolve(shown('Ann').includes('hub.approve') && shown('Bob').includes('hub.approve')),
      );
      expect(shown('Zoe')).not.toContain('hub.approve');
      expect(shown('Ann')).not.toContain('canary');
      const { taskId, rev, proposalHash } = task!;
      const yes = { verb: 'approve', rev, proposalHash };
      expect((await office.as('bob').ask(`/v1/approvals/${taskId}/decide`, yes)).code).toBe('ok');
      for (const name of ['Ann', 'Bob', 'Zoe'] as const)
        await until(() => Promise.resolve(shown(name).includes('Approved by bob')));
      for (const name of ['Ann', 'Bob', 'Zoe'] as const) expect(shown(name)).not.toContain('Action.Execute');
      expect(cards()).toHaveLength(1);
      expect(teams.complaints).toEqual([]);
    },
    JOURNEY_MS,
  );
});
