/** The fake keeps to what it says of itself, tried with the vendor's own reader of activities. */
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Activity, activityZodSchema, adaptiveCardInvokeActionZodSchema } from '@microsoft/agents-activity';
import { verifies as verifiesWithin } from '../../spec/verifies.js';
import type { Chat, Message, TeamsUser } from './chats.js';
import { FakeTeams } from './fake-teams.js';

type Bag = Readonly<Record<string, unknown>>;

/** It makes its keys, on a busy machine, ms. */
const UP_MS = 120_000;

const verifies = (id: string, name: string, body: () => Promise<void>): void =>
  verifiesWithin(id, name, body, UP_MS);

let teams: FakeTeams;
let bot: Server;
/** What the bot was sent, and what it answers next. */
const heard: Bag[] = [];
let answer: unknown = {};

beforeAll(async () => {
  teams = await FakeTeams.start();
  bot = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      heard.push(JSON.parse(text) as Bag);
      response.end(JSON.stringify(answer));
    });
  }).listen(0, '127.0.0.1');
  await once(bot, 'listening');
  teams.invokes.botUrl = `http://127.0.0.1:${(bot.address() as AddressInfo).port}/`;
}, UP_MS);
afterAll(async () => {
  await teams.stop();
  bot.close();
});
beforeEach(() => {
  heard.length = 0;
  answer = {};
  teams.limits.lifted = true;
});

const tokenWith = async (over: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(teams.tokenUrl, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: teams.entra.appId,
      client_secret: teams.entra.password,
      scope: 'https://api.botframework.com/.default',
      ...over,
    }),
  });
const token = async (): Promise<string> =>
  ((await (await tokenWith()).json()) as { access_token: string }).access_token;

const call = async (method: string, path: string, body?: unknown, bearer?: string): Promise<Response> =>
  fetch(`${teams.serviceUrl}v3/conversations${path}`, {
    method,
    headers: { authorization: `Bearer ${bearer ?? (await token())}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const codeOf = async (response: Response): Promise<unknown> =>
  ((await response.json()) as { error: { code: string } }).error.code;

const ann = (chat: Chat): TeamsUser => chat.members[0]!;
const execute = { type: 'Action.Execute', title: 'Go', verb: 'go', data: { t: '1' } };
const cardFor = (user: TeamsUser, over: object = {}): Bag => ({
  type: 'AdaptiveCard',
  version: '1.5',
  body: [{ type: 'TextBlock', text: 'Hello' }],
  actions: [execute],
  refresh: { action: execute, userIds: [user.mri] },
  ...over,
});
const messageWith = (content: unknown): object => ({
  type: 'message',
  attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }],
});
const posted = async (chat: Chat, content: unknown): Promise<Message> => {
  const response = await call('POST', `/${encodeURIComponent(chat.id)}/activities`, messageWith(content));
  const { id } = (await response.json()) as { id: string };
  return teams.chats.message(chat, id)!;
};

describe('the fake Teams', () => {
  verifies('BRG-89', 'gives tokens to the bot alone, and takes no others', async () => {
    expect((await tokenWith()).status).toBe(200);
    expect((await tokenWith({ client_secret: 'x' })).status).toBe(401);
    expect((await tokenWith({ scope: 'https://graph.microsoft.com/.default' })).status).toBe(400);
    const chat = teams.chat('groupChat', 'Desk', 'Ann');
    expect((await call('GET', `/${chat.id}/members`, undefined, 'made-up')).status).toBe(401);
    const old = await token();
    teams.entra.revoke();
    expect((await call('GET', `/${chat.id}/members`, undefined, old)).status).toBe(401);
  });

  verifies('BRG-89', 'keeps messages, and refuses what it would not show', async () => {
    const chat = teams.chat('channel', 'Reviews', 'Ann');
    const path = `/${encodeURIComponent(chat.id)}/activities`;
    const message = await posted(chat, cardFor(ann(chat)));
    expect(teams.cards(chat)).toEqual([message]);
    expect((await call('PUT', `${path}/${message.id}`, messageWith(cardFor(ann(chat))))).status).toBe(200);
    expect(message.edits).toBe(1);
    expect((await call('PUT', `${path}/other`, messageWith(cardFor(ann(chat))))).status).toBe(404);
    const bad = [
      cardFor(ann(chat), { version: '1.9' }),
      cardFor(ann(chat), { body: [{ type: 'Marquee' }] }),
      cardFor(ann(chat), { actions: [{ ...execute, verb: undefined }] }),
      cardFor(ann(chat), { refresh: { action: execute, userIds: Array(61).fill('29:x') } }),
    ];
    for (const card of bad)
      expect(await codeOf(await call('POST', path, messageWith(card)))).toBe('BadSyntax');
    const big = await call('POST', path, { type: 'message', text: 'x'.repeat(29 * 1024) });
    expect([big.status, await codeOf(big)]).toEqual([413, 'MessageSizeTooBig']);
    expect((await call('DELETE', `${path}/${message.id}`)).status).toBe(200);
    expect(teams.cards(chat)).toEqual([]);
    chat.installed = false;
    expect(await codeOf(await call('POST', path, { type: 'message' }))).toBe('BotNotInConversationRoster');
    expect(await codeOf(await call('POST', '/nowhere/activities', { type: 'message' }))).toBe(
      'ConversationNotFound',
    );
  });

  verifies('BRG-89', 'opens one chat with a person, however often it is asked', async () => {
    const chat = teams.chat('groupChat', 'Desk', 'Zoe');
    const open = async () =>
      (await call('POST', '', { members: [{ id: ann(chat).aadObjectId }], tenantId: teams.tenantId })).json();
    expect(await open()).toEqual(await open());
    expect((await call('POST', '', { members: [{ id: ann(chat).mri }], tenantId: 'other' })).status).toBe(
      403,
    );
  });

  verifies('BRG-89', 'speaks to a bot in activities that the vendor’s reader takes', async () => {
    const chat = teams.chat('personal', 'Ann', 'Ann');
    await teams.install(chat);
    const message = await posted(chat, cardFor(ann(chat)));
    answer = { statusCode: 200, type: 'application/vnd.microsoft.activity.message', value: 'Done.' };
    expect(await teams.press(ann(chat), { chat, message }, 'Go')).toEqual({ kind: 'message', text: 'Done.' });
    expect(heard.map(({ type }) => type)).toEqual(['conversationUpdate', 'installationUpdate', 'invoke']);
    for (const activity of heard) {
      expect(activityZodSchema.safeParse(activity).success).toBe(true);
      expect(Activity.fromObject(activity).from?.aadObjectId).toBe(ann(chat).aadObjectId);
    }
    const { action } = heard[2]!.value as { action: unknown };
    expect(adaptiveCardInvokeActionZodSchema.parse(action)).toMatchObject({ verb: 'go', data: { t: '1' } });
  });

  verifies('BRG-89', 'shows single people their view until the card changes for all', async () => {
    const chat = teams.chat('groupChat', 'Desk', 'Ann', 'Bob');
    const [first, bob] = chat.members as [TeamsUser, TeamsUser];
    const message = await posted(chat, cardFor(first));
    const own = cardFor(first, { body: [{ type: 'TextBlock', text: 'For you' }] });
    answer = { statusCode: 200, type: 'application/vnd.microsoft.card.adaptive', value: own };
    await teams.watch(first, chat);
    await teams.watch(bob, chat);
    expect(heard).toHaveLength(1);
    expect([teams.seenBy(first, message)?.body, teams.seenBy(bob, message)?.body]).toEqual([
      [{ type: 'TextBlock', text: 'For you' }],
      [{ type: 'TextBlock', text: 'Hello' }],
    ]);
    const path = `/${encodeURIComponent(chat.id)}/activities/${message.id}`;
    await call('PUT', path, messageWith(cardFor(first, { refresh: undefined })));
    expect(teams.seenBy(first, message)?.body).toEqual([{ type: 'TextBlock', text: 'Hello' }]);
  });

  verifies('BRG-89', 'calls everything that is no answer “unable to reach app”', async () => {
    const chat = teams.chat('personal', 'Ann', 'Ann');
    const message = await posted(chat, cardFor(ann(chat)));
    const odd = [{}, [], { statusCode: '200' }, { statusCode: 200, type: 'x', value: 1 }];
    const card = {
      statusCode: 200,
      type: 'application/vnd.microsoft.card.adaptive',
      value: { type: 'AdaptiveCard' },
    };
    for (answer of [...odd, card])
      expect(await teams.press(ann(chat), { chat, message }, 'Go')).toMatchObject({ kind: 'unreachable' });
    expect(teams.complaints).toHaveLength(5);
  });

  verifies('BRG-89', 'limits how often a bot speaks, and fails as it is told to', async () => {
    const chat = teams.chat('groupChat', 'Loud', 'Ann');
    const say = () =>
      call('POST', `/${encodeURIComponent(chat.id)}/activities`, { type: 'message', text: 'hi' });
    teams.limits.lifted = false;
    teams.faults.next('post', { kind: 'status', status: 412 });
    teams.faults.next('post', { kind: 'drop-reply' });
    teams.faults.next('post', { kind: 'reset' });
    expect((await say()).status).toBe(412);
    await expect(say()).rejects.toThrow();
    await expect(say()).rejects.toThrow();
    expect(chat.messages).toHaveLength(1);
    let limited: Response | undefined;
    for (let nth = 0; nth < 200 && limited === undefined; nth += 1) {
      const response = await say();
      if (response.status === 429) limited = response;
    }
    expect(Number(limited?.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  verifies(
    'BRG-89',
    'takes a stream in a personal chat alone, in order, each chunk longer than the last',
    async () => {
      const stream = (
        streamType: string,
        streamSequence: number | undefined,
        text: string,
        streamId?: string,
      ) => ({
        type: streamType === 'final' ? 'message' : 'typing',
        text,
        entities: [{ type: 'streaminfo', streamType, streamSequence, streamId }],
      });
      const group = teams.chat('groupChat', 'Desk', 'Ann');
      const chat = teams.chat('personal', 'Ann', 'Ann');
      const say = (body: object, to = chat) => call('POST', `/${encodeURIComponent(to.id)}/activities`, body);
      expect((await say(stream('streaming', 1, 'a'), group)).status).toBe(403);
      expect((await say(stream('informative', 1, 'x'.repeat(1_001)))).status).toBe(400);
      const { id } = (await (await say(stream('streaming', 1, 'a'))).json()) as { id: string };
      expect((await say(stream('streaming', 1, 'a'))).status).toBe(403);
      expect((await say(stream('streaming', 2, 'ab', id))).status).toBe(202);
      expect((await say(stream('streaming', 3, 'b', id))).status).toBe(403);
      expect((await say(stream('final', undefined, 'b', id))).status).toBe(403);
      expect((await say(stream('final', undefined, 'abc', id))).status).toBe(202);
      expect((await say(stream('final', undefined, 'abcd', id))).status).toBe(403);
      expect(teams.chats.message(chat, id)?.activity).toMatchObject({ text: 'abc' });
    },
  );

  verifies('BRG-89', 'is a page on which anybody’s buttons can be pressed', async () => {
    const chat = teams.chat('groupChat', 'Page <script>', 'Ann & Co');
    const message = await posted(chat, cardFor(ann(chat), { refresh: undefined }));
    const asAnn = `${teams.url}/?${new URLSearchParams({ chat: chat.id, as: ann(chat).mri }).toString()}`;
    const page = await (await fetch(asAnn)).text();
    expect(page).toContain('Page &lt;script&gt;');
    expect(page).toContain('<button class="">Go</button>');
    answer = { statusCode: 200, type: 'application/vnd.microsoft.activity.message', value: 'Pressed.' };
    const form = { chat: chat.id, as: ann(chat).mri, message: message.id, action: '0', why: 'so' };
    await fetch(`${teams.url}/`, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
    expect(heard[0]).toMatchObject({ value: { action: { verb: 'go', data: { t: '1', why: 'so' } } } });
    expect(await (await fetch(asAnn)).text()).toContain('Pressed.');
  });
});
