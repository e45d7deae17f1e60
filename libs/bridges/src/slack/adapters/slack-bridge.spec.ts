import { randomBytes } from 'node:crypto';
import { ErrorCode } from '@slack/web-api';
import { FakeSlack, TOKEN } from '../../../../../test/fakes/slack/fake-slack.js';
import { TEAM } from '../../../../../test/fakes/slack/world.js';
import { verifies } from '../../../../../test/spec/verifies.js';
import { taskWith } from '../../../test/slack-task.js';
import type { Notice } from '../../core/bridge.js';
import { chatValues } from '../../core/chat-value.js';
import { SlackBridge } from './slack-bridge.js';
import { slackClient } from './slack-client.js';
import { slackTrouble } from './slack-trouble.js';

/** Longer than the client waits for an answer. */
const PATIENCE_MS = 180_000;
const AT_ONCE = 10;

const values = chatValues(randomBytes(32));
let slack: FakeSlack;
/** How far Slack's clock is set forward. */
let aheadMs = 0;
let bridge: SlackBridge;

const noticeOf = (nth: number, address = 'C0DESK', more: Partial<Notice<'slack'>> = {}): Notice<'slack'> => ({
  noticeId: `notice-${nth}`,
  changeId: `change-${nth}`,
  destination: { id: 'desk', kind: 'slack', tenant: 'default', address, args: { whole: true } as never },
  task: taskWith({ taskId: `b.${nth}`, createdAt: Date.now() }),
  names: {},
  what: 'created',
  chat: true,
  link: 'https://hub.example/reviewer?task=x',
  unsure: false,
  ...more,
});
const cardsFor = (taskId: string): number =>
  slack.world.messages.filter(({ metadata }) => JSON.stringify(metadata ?? '').includes(`"${taskId}"`))
    .length;

/** As Slack limits apps that are new there: 15 messages of a channel's past a minute. */
const limitAsNew = (): void => {
  slack.limits.enforced = true;
  slack.limits.newApp = true;
};
const othersSay = (times: number): void => {
  for (let nth = 0; nth < times; nth += 1) slack.world.post({ channel: 'C0DESK', text: 'hm', blocks: [] });
};

beforeEach(async () => {
  aheadMs = 0;
  slack = await FakeSlack.start({ now: () => Date.now() + aheadMs });
  slack.limits.enforced = false;
  for (const id of ['C0DESK', 'C0OTHER']) slack.world.addChannel(id, id);
  slack.world.addPerson({ id: 'U0ANN', name: 'ann', team: TEAM });
  bridge = new SlackBridge({ client: slackClient({ token: TOKEN, apiUrl: slack.apiUrl }), values });
});
afterEach(async () => {
  await slack.stop();
});

describe('the bridge to Slack', () => {
  verifies('BRG-40', 'shows a task as one message, and changes that as the task goes on', async () => {
    const first = await bridge.show(noticeOf(1));
    if (first.kind !== 'shown') throw new Error(first.kind);
    const task = taskWith({ taskId: 'b.1', state: 'expired' });
    const again = await bridge.show(noticeOf(1, 'C0DESK', { task, posted: first.posted }));
    expect(again).toEqual(first);
    const [message, ...others] = slack.world.messagesIn('C0DESK');
    expect(others).toEqual([]);
    expect(JSON.stringify(message?.blocks)).toContain('nobody decided in time');
    expect(JSON.stringify(message?.blocks)).not.toContain('tt.approve');
    expect(message?.metadata).toMatchObject({ event_payload: { task_id: 'b.1', notice_id: 'notice-1' } });
  });

  verifies('BRG-40', 'shows it to a person where the place is one', async () => {
    expect(await bridge.show(noticeOf(1, 'U0ANN'))).toMatchObject({
      kind: 'shown',
      posted: expect.stringMatching(/^D0ANN /u),
    });
  });

  verifies(
    'BRG-41',
    'of a hundred posts whose answers were lost makes a hundred cards, none twice',
    async () => {
      slack.faults.next('chat.postMessage', 'drop-reply', 100);
      const lose = async (nth: number): Promise<string> => {
        expect(await bridge.show(noticeOf(nth))).toMatchObject({ kind: 'unsure' });
        return (await bridge.show(noticeOf(nth, 'C0DESK', { unsure: true }))).kind;
      };
      const shown: string[] = [];
      for (let first = 0; first < 100; first += AT_ONCE)
        shown.push(...(await Promise.all(Array.from({ length: AT_ONCE }, (_, nth) => lose(first + nth)))));
      expect(new Set(shown)).toEqual(new Set(['shown']));
      expect(slack.callsOf('chat.postMessage')).toHaveLength(100);
      for (let nth = 0; nth < 100; nth += 1) expect(cardsFor(`b.${nth}`)).toBe(1);
    },
    PATIENCE_MS,
  );

  verifies('BRG-41', 'looks for what it lost in a person’s own messages too', async () => {
    slack.faults.next('chat.postMessage', 'broken-late');
    expect(await bridge.show(noticeOf(2, 'U0ANN'))).toMatchObject({ kind: 'unsure' });
    expect(await bridge.show(noticeOf(2, 'U0ANN', { unsure: true }))).toMatchObject({ kind: 'shown' });
    expect(cardsFor('b.2')).toBe(1);
  });

  verifies('BRG-41', 'looks no more often than Slack lets it, and posts nothing meanwhile', async () => {
    slack.faults.next('chat.postMessage', 'drop-reply');
    await bridge.show(noticeOf(1));
    slack.limits.shutFor('conversations.history', 30_000);
    const later = await bridge.show(noticeOf(1, 'C0DESK', { unsure: true }));
    expect(later).toEqual({ kind: 'waits', forMs: 30_000 });
    expect(cardsFor('b.1')).toBe(1);
  });

  verifies('BRG-39', 'goes on looking where Slack stopped it, until it has what it lost', async () => {
    slack.faults.next('chat.postMessage', 'drop-reply');
    await bridge.show(noticeOf(1));
    othersSay(20);
    limitAsNew();
    const look = () => bridge.show(noticeOf(1, 'C0DESK', { unsure: true }));
    expect(await look()).toMatchObject({ kind: 'unsure' });
    expect(await look()).toMatchObject({ kind: 'waits' });
    othersSay(20);
    aheadMs += 60_000;
    expect(await look()).toMatchObject({ kind: 'shown' });
    expect(cardsFor('b.1')).toBe(1);
    expect(slack.callsOf('conversations.history')).toHaveLength(2);
  });

  verifies('BRG-39', 'posts nothing before it has seen what was posted while it was stopped', async () => {
    slack.faults.next('chat.postMessage', 'reset');
    await bridge.show(noticeOf(1));
    othersSay(20);
    limitAsNew();
    const look = () => bridge.show(noticeOf(1, 'C0DESK', { unsure: true }));
    expect(await look()).toMatchObject({ kind: 'unsure' });
    // Another worker has the lane meanwhile, and loses its answer too.
    slack.faults.next('chat.postMessage', 'drop-reply');
    await bridge.show(noticeOf(1));
    aheadMs += 60_000;
    expect(await look()).toMatchObject({ kind: 'unsure' });
    aheadMs += 60_000;
    expect(await look()).toMatchObject({ kind: 'shown' });
    expect(cardsFor('b.1')).toBe(1);
  });

  verifies('BRG-43', 'tells what never will be from what may be tried again', async () => {
    const channel = slack.world.channels.get('C0DESK')!;
    const why = async (nth = 1, posted?: string) =>
      bridge.show(noticeOf(nth, 'C0DESK', posted === undefined ? {} : { posted }));
    channel.archived = true;
    expect(await why()).toEqual({ kind: 'refused', why: 'is_archived' });
    channel.archived = false;
    channel.hasBot = false;
    expect(await why()).toEqual({ kind: 'refused', why: 'not_in_channel' });
    channel.hasBot = true;
    expect(await why(1, 'C0DESK 1.000001')).toEqual({ kind: 'refused', why: 'message_not_found' });
    slack.scopes.delete('chat:write');
    expect(await why()).toEqual({ kind: 'refused', why: 'missing_scope' });
    slack.scopes.add('chat:write');
    const shown = await why();
    slack.faults.next('chat.update', 'broken');
    expect(await why(1, (shown as { posted: string }).posted)).toMatchObject({ kind: 'failed' });
    slack.revoked.add(TOKEN);
    expect(await why()).toEqual({ kind: 'refused', why: 'token_revoked' });
  });

  verifies('BRG-43', 'knows that nothing came where nobody listens', async () => {
    const { apiUrl } = slack;
    await slack.stop();
    const error: unknown = await fetch(apiUrl).catch((failed: unknown) => failed);
    slack = await FakeSlack.start();
    expect(slackTrouble({ code: ErrorCode.RequestError, cause: error })).toMatchObject({ kind: 'not-done' });
    expect(slackTrouble({ code: ErrorCode.RequestError, cause: new Error('socket hang up') })).toMatchObject({
      kind: 'unknown',
    });
  });
});
