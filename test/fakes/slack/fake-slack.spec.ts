/** The fake is driven with the vendor's own client, so that what it models is what that client speaks. */
import { ErrorCode, LogLevel, WebClient, type Logger } from '@slack/web-api';
import { verifies } from '../../spec/verifies.js';
import { FakeSlack, TOKEN } from './fake-slack.js';
import { interaction } from './hub-calls.js';
import { TEAM } from './world.js';

const CHANNEL = 'C0DESK';
const CARD = [
  { type: 'header', text: { type: 'plain_text', text: 'Approve?' } },
  { type: 'actions', block_id: 'acts', elements: [button('tt.approve', 't1.x')] },
];

function button(action_id: string, value: string) {
  return { type: 'button' as const, action_id, value, text: { type: 'plain_text' as const, text: 'Yes' } };
}

const nothing = (): void => undefined;
const SILENT: Logger = {
  ...{ debug: nothing, info: nothing, warn: nothing, error: nothing },
  ...{ setLevel: nothing, getLevel: () => LogLevel.ERROR, setName: nothing },
};

let slack: FakeSlack;
let clock: number;
let client: WebClient;

const clientWith = (token: string): WebClient =>
  new WebClient(token, {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: 5_000,
    logger: SILENT,
  });

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'nothing went wrong',
    (error: { data?: { error?: string }; code?: string }) => error.data?.error ?? error.code,
  );

const post = (text = 'hello', channel = CHANNEL) => client.chat.postMessage({ channel, text });

beforeEach(async () => {
  clock = 1_790_000_000_000;
  slack = await FakeSlack.start({ now: () => clock });
  slack.world.addChannel(CHANNEL, 'desk');
  slack.world.addPerson({ id: 'U0ANN', name: 'ann', team: TEAM, email: 'ann@example.com' });
  slack.world.addPerson({ id: 'U0GUEST', name: 'gus', team: 'T0OTHER' });
  slack.world.addPerson({ id: 'U0GONE', name: 'gil', team: TEAM, deleted: true });
  client = clientWith(TOKEN);
});
afterEach(async () => {
  await slack.stop();
});

describe('the fake Slack', () => {
  verifies(
    'BRG-38',
    'gives every message of a channel a time of its own, and keeps it to be looked at',
    async () => {
      const [one, other] = [await post(), await post()];
      expect(one.ts).toMatch(/^\d{10}\.\d{6}$/u);
      expect(one.ts).not.toBe(other.ts);
      await client.chat.update({ channel: CHANNEL, ts: one.ts ?? '', text: 'changed' });
      const { messages } = await client.conversations.history({ channel: CHANNEL });
      expect(messages?.map(({ text }) => text)).toEqual(['hello', 'changed']);
    },
  );

  verifies('BRG-38', 'shows metadata to who asks, and threads apart from the channel', async () => {
    const metadata = { event_type: 'hub_task', event_payload: { task_id: 't' } };
    const { ts = '' } = await client.chat.postMessage({ channel: CHANNEL, text: 'card', metadata });
    await client.chat.postMessage({ channel: CHANNEL, text: 'reply', thread_ts: ts });
    const asked = { channel: CHANNEL, include_all_metadata: true };
    const { messages = [] } = await client.conversations.history(asked);
    expect(messages).toMatchObject([{ text: 'card', metadata }]);
    expect(
      (await client.conversations.history({ channel: CHANNEL })).messages?.[0]?.metadata,
    ).toBeUndefined();
    const thread = await client.conversations.replies({ channel: CHANNEL, ts });
    expect(thread.messages?.map(({ text }) => text)).toEqual(['card', 'reply']);
  });

  verifies('BRG-38', 'refuses as Slack does: token, scope, channel, blocks', async () => {
    expect(await errorOf(clientWith('xoxb-wrong').auth.test())).toBe('invalid_auth');
    expect(await errorOf(post('x', 'C0NONE'))).toBe('channel_not_found');
    slack.scopes.delete('users:read');
    expect(await errorOf(client.users.info({ user: 'U0ANN' }))).toBe('missing_scope');
    const long = { type: 'header' as const, text: { type: 'plain_text' as const, text: 'x'.repeat(151) } };
    expect(await errorOf(client.chat.postMessage({ channel: CHANNEL, text: 't', blocks: [long] }))).toBe(
      'invalid_blocks',
    );
    expect(
      await errorOf(
        client.chat.postMessage({
          channel: CHANNEL,
          text: 't',
          blocks: [{ type: 'actions', elements: [button('a', 'x'.repeat(2_001))] }],
        }),
      ),
    ).toBe('invalid_blocks');
    slack.revoked.add(TOKEN);
    expect(await errorOf(post())).toBe('token_revoked');
  });

  verifies('BRG-38', 'limits one channel with 429 and the seconds to wait, and no other', async () => {
    slack.world.addChannel('C0OTHER', 'other');
    for (let nth = 0; nth < 5; nth += 1) await post();
    const limited = await post().catch((error: unknown) => error);
    expect(limited).toMatchObject({ code: ErrorCode.RateLimitedError, retryAfter: 1 });
    await post('x', 'C0OTHER');
    clock += 1_000;
    await post();
    expect(slack.world.messagesIn(CHANNEL)).toHaveLength(6);
  });

  verifies('BRG-38', 'keeps what it was told though its answer was lost', async () => {
    slack.faults.next('chat.postMessage', 'drop-reply');
    expect(await errorOf(post())).toBe(ErrorCode.RequestError);
    slack.faults.next('chat.postMessage', 'reset');
    expect(await errorOf(post())).toBe(ErrorCode.RequestError);
    slack.faults.next('chat.postMessage', 'broken');
    expect(await errorOf(post())).toBe(ErrorCode.HTTPError);
    expect(slack.world.messagesIn(CHANNEL)).toHaveLength(1);
  });

  verifies('BRG-38', 'closes channels and edits as they close at Slack', async () => {
    const { ts = '' } = await post();
    const channel = slack.world.channels.get(CHANNEL)!;
    channel.closedToEdits = true;
    expect(await errorOf(client.chat.update({ channel: CHANNEL, ts, text: 'x' }))).toBe('edit_window_closed');
    channel.archived = true;
    expect(await errorOf(post())).toBe('is_archived');
    channel.hasBot = false;
    expect(await errorOf(post())).toBe('not_in_channel');
  });

  verifies('BRG-38', 'tells strangers and the deactivated apart', async () => {
    expect((await client.users.info({ user: 'U0GUEST' })).user).toMatchObject({
      team_id: 'T0OTHER',
      is_stranger: true,
    });
    expect((await client.users.info({ user: 'U0GONE' })).user?.deleted).toBe(true);
    expect(await errorOf(client.users.info({ user: 'U0NOBODY' }))).toBe('user_not_found');
    expect((await client.users.lookupByEmail({ email: 'ann@example.com' })).user?.id).toBe('U0ANN');
  });

  verifies('BRG-38', 'opens a modal once, and within three seconds of the click', async () => {
    const view = { type: 'modal' as const, title: { type: 'plain_text' as const, text: 'Why?' }, blocks: [] };
    const trigger_id = slack.triggers.give('t-1', 'U0ANN');
    await client.views.open({ trigger_id, view });
    expect(await errorOf(client.views.open({ trigger_id, view }))).toBe('exchanged_trigger_id');
    const late = slack.triggers.give('t-2', 'U0ANN');
    clock += 3_001;
    expect(await errorOf(client.views.open({ trigger_id: late, view }))).toBe('expired_trigger_id');
    const tooLong = { ...view, title: { type: 'plain_text' as const, text: 'x'.repeat(25) } };
    expect(await errorOf(client.views.open({ trigger_id: late, view: tooLong }))).toBe('invalid_arguments');
  });

  verifies(
    'BRG-38',
    'streams into a thread until the stream is stopped, or nobody wrote for long',
    async () => {
      const { ts: thread_ts = '' } = await post();
      const place = { channel: CHANNEL, thread_ts };
      expect(await errorOf(client.chat.startStream(place))).toBe('missing_recipient_user_id');
      const who = { recipient_user_id: 'U0ANN', recipient_team_id: TEAM };
      const { ts = '' } = await client.chat.startStream({ ...place, ...who, markdown_text: 'a' });
      await client.chat.appendStream({ channel: CHANNEL, ts, markdown_text: 'b' });
      await client.chat.stopStream({ channel: CHANNEL, ts, markdown_text: 'c' });
      expect(slack.world.find(CHANNEL, ts)?.text).toBe('abc');
      const idle = (await client.chat.startStream({ ...place, ...who })).ts ?? '';
      const add = (at: string) =>
        errorOf(client.chat.appendStream({ channel: CHANNEL, ts: at, markdown_text: 'x' }));
      clock += 121_000;
      expect(await add(idle)).toBe('message_not_in_streaming_state');
      const old = (await client.chat.startStream({ ...place, ...who })).ts ?? '';
      for (let minute = 0; minute < 5; minute += 1) {
        expect(await add(old)).toBe('nothing went wrong');
        clock += 61_000;
      }
      expect(await add(old)).toBe('message_not_in_streaming_state');
    },
  );

  verifies(
    'BRG-38',
    'lets a stream tell of tasks, within its limits, and a message be changed once it streams no more',
    async () => {
      const { ts: thread_ts = '' } = await post();
      const who = { recipient_user_id: 'U0ANN', recipient_team_id: TEAM };
      const { ts = '' } = await client.chat.startStream({ channel: CHANNEL, thread_ts, ...who });
      const at = { channel: CHANNEL, ts };
      const task = (status: 'in_progress' | 'complete', id = 't') => ({
        ...{ type: 'task_update' as const, id, title: 'Look', status },
      });
      const words = (text: string) => ({ type: 'markdown_text' as const, text });
      await client.chat.appendStream({ ...at, chunks: [task('in_progress'), words('a')] });
      await client.chat.appendStream({
        ...at,
        chunks: [words('b'), task('complete'), task('in_progress', 'u')],
      });
      expect(slack.world.find(CHANNEL, ts)).toMatchObject({
        text: 'ab',
        tasks: [task('complete'), task('in_progress', 'u')],
      });
      const faults = [
        await errorOf(client.chat.appendStream({ ...at, chunks: [words('x'.repeat(12_001))] })),
        await errorOf(client.chat.appendStream({ ...at, chunks: [{ type: 'task_update' } as never] })),
        await errorOf(client.chat.update({ ...at, text: 'whole' })),
        await errorOf(client.chat.startStream({ channel: CHANNEL, thread_ts: '1.000001', ...who })),
      ];
      expect(faults).toEqual([
        'msg_too_long',
        'invalid_chunks',
        'streaming_state_conflict',
        'thread_not_found',
      ]);
      const metadata = { event_type: 'hub_progress', event_payload: { progress_id: 'p' } };
      await client.chat.stopStream({ ...at, metadata, blocks: [CARD[0] as never] });
      const { messages = [] } = await client.conversations.replies({
        ...at,
        ts: thread_ts,
        include_all_metadata: true,
      });
      expect(messages.at(-1)?.metadata).toEqual(metadata);
      await client.chat.update({ ...at, text: 'whole' });
      expect(slack.world.find(CHANNEL, ts)).toMatchObject({ text: 'whole', tasks: [] });
    },
  );

  verifies(
    'BRG-38',
    'tells the hub of a click over the raw body, again when nobody answers, with what is pressed',
    async () => {
      const { ts = '' } = await client.chat.postMessage({
        channel: CHANNEL,
        text: 'card',
        blocks: CARD as never,
      });
      slack.hub.hubUrl = 'http://127.0.0.1:1';
      const ack = await slack.hub.click({ user: 'U0ANN', channel: CHANNEL, ts, action: 'tt.approve' });
      expect(ack.status).toBe(0);
      expect(slack.hub.late).toHaveLength(4);
      const { body } = interaction({ a: 'b c+é' });
      expect(body).toBe('payload=%7B%22a%22%3A%22b+c%2B%C3%A9%22%7D');
    },
  );
});
