/** Whoever is not who they seem to be in Slack decides nothing, is told so, and is written down. */
import { until } from '@triptych/testkit';
import { sealedIn } from '../stand/sealed.js';
import { verifies } from '../spec/verifies.js';
import { SlackDesk, type SlackName } from './slack-desk.js';

const UP_MS = 120_000;
const TRY_MS = 60_000;

const RULES = `
    - { id: pay, match: { tool: pay }, chat: true }
    - { id: small, match: { tool: small }, chat: true, groups: [others] }
    - { id: private, match: { tool: secret } }
`;

let desk: SlackDesk;
beforeAll(async () => {
  desk = await SlackDesk.start({ rules: RULES });
}, UP_MS);
afterAll(async () => {
  await desk?.stop();
}, UP_MS);
afterEach(() => {
  desk.slack.world.ephemerals.length = 0;
});

/** What they were told; the task is as it was. */
const triedBy = async (name: SlackName, thread: string, more: { tool?: string; forged?: object } = {}) => {
  const { task, ts } = await desk.card(thread, { tool: more.tool ?? 'pay', args: { amount: 5 } });
  const ack = await desk.press(name, ts, 'approve', more.forged ? { forged: more.forged } : {});
  expect(ack.status).toBe(200);
  const [told = ''] = await desk.told(name);
  await desk.quiet();
  const { votes, decision, rev } = await desk.office.task(task.taskId);
  expect({ votes, decision, rev }).toEqual({ votes: [], decision: undefined, rev: task.rev });
  return told;
};

describe('whoever is not who they seem to be in Slack', () => {
  verifies(
    'BRG-48',
    'who is linked to nobody decides nothing, is told how to be linked, and is in the trail',
    async () => {
      expect(await triedBy('nobody', 'unlinked')).toContain('link your account');
      await until(async () => {
        const links = await sealedIn(desk.office.redis);
        return links.some(
          ({ text }) => text.includes('bridge.turned-away') && text.includes('T0HOME:U0NOBODY'),
        );
      });
    },
    TRY_MS,
  );

  verifies(
    'BRG-44',
    'is written down once for one press, though Slack does not let us tell them',
    async () => {
      const { task, ts } = await desk.card('untold', { tool: 'pay', args: { amount: 5 } });
      desk.slack.faults.next('chat.postEphemeral', 'broken');
      await desk.press('nobody', ts, 'approve');
      await desk.quiet();
      expect(desk.slack.world.ephemerals).toEqual([]);
      const turnedAway = async () =>
        (await sealedIn(desk.office.redis)).filter(
          ({ record }) => record.action === 'bridge.turned-away' && record.subject.task === task.taskId,
        ).length;
      await until(async () => (await turnedAway()) > 0);
      expect(await turnedAway()).toBe(1);
    },
    TRY_MS,
  );

  verifies(
    'BRG-49',
    'a guest of a shared channel decides nothing, linked or not (threat 9)',
    async () => {
      expect(await triedBy('guest', 'guest')).toContain('guest');
    },
    TRY_MS,
  );

  verifies(
    'BRG-49',
    'a deactivated person decides nothing (threat 9)',
    async () => {
      expect(await triedBy('gone', 'gone')).toContain('not active');
    },
    TRY_MS,
  );

  verifies(
    'BRG-49',
    'nothing is taken of another workspace or another app (threat 9)',
    async () => {
      const user = { id: 'U0ANN', team_id: 'T0OTHER' };
      expect(await triedBy('ann', 'team', { forged: { team: { id: 'T0OTHER' }, user } })).toContain(
        'another workspace',
      );
      desk.slack.world.ephemerals.length = 0;
      expect(await triedBy('ann', 'app', { forged: { api_app_id: 'A0OTHER' } })).toContain(
        'another workspace',
      );
    },
    TRY_MS,
  );

  verifies(
    'BRG-50',
    'one person is one: who asked cannot approve by another account (threat 5)',
    async () => {
      expect(await triedBy('amelia', 'self')).toContain('asked for this yourself');
    },
    TRY_MS,
  );

  verifies(
    'BRG-50',
    'a person of another tenant finds nothing behind a button (threat 1)',
    async () => {
      expect(await triedBy('carl', 'tenant')).toContain('nothing here');
    },
    TRY_MS,
  );

  verifies(
    'BRG-50',
    'nobody has more rights than elsewhere: groups and rules hold (threat 8)',
    async () => {
      expect(await triedBy('ann', 'group', { tool: 'small' })).not.toBe('');
      desk.slack.world.ephemerals.length = 0;
      expect(await triedBy('ann', 'private', { tool: 'secret' })).not.toBe('');
    },
    TRY_MS,
  );
});
