/** The bridge to Teams against a Teams that fails in all the ways it is documented to. */
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Activity, activityZodSchema } from '@microsoft/agents-activity';
import { closeRedis, connectRedis, createLog } from '@triptych/platform';
import type { Redis } from 'ioredis';
import type { Chat } from '../../../../../test/fakes/teams/chats.js';
import { cardOf } from '../../../../../test/fakes/teams/connector.js';
import { FakeTeams } from '../../../../../test/fakes/teams/fake-teams.js';
import { verifies as verifiesWithin } from '../../../../../test/spec/verifies.js';
import { everybodyIn, hears, teamsAt } from '../../../test/benches/teams.js';
import { decidedTask, taskOf } from '../../../test/teams-task.js';
import type { Notice } from '../../core/bridge.js';
import { BotToken } from './bot-token.js';
import { Connector } from './connector.js';
import { RedisTeamsBook } from './redis-teams-book.js';
import { TeamsBridge } from './teams-bridge.js';

/** The fake makes its keys, on a busy machine, ms. */
const UP_MS = 240_000;
/** Nothing that is tried here is slow by itself, ms. */
const PATIENT_MS = 120_000;

const verifies = (id: string, name: string, body: () => Promise<void>): void =>
  verifiesWithin(id, name, body, UP_MS);

let redis: Redis;
let teams: FakeTeams;
let bot: Server;
let book: RedisTeamsBook;
let bridge: TeamsBridge;
let nowMs = Date.now();

const answering = async (serve: (text: string) => Promise<unknown>): Promise<Server> => {
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => void serve(text).then((body) => response.end(JSON.stringify(body))));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
};
const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

beforeAll(async () => {
  redis = await connectRedis(process.env['REDIS_URL'] as string, 'commands', {
    log: createLog({ level: 'silent' }),
  });
  teams = await FakeTeams.start();
  teams.invokes.patienceMs = PATIENT_MS;
  book = new RedisTeamsBook(redis);
  bot = await hears(book);
  teams.invokes.botUrl = urlOf(bot);
  const { appId, password } = teams.entra;
  bridge = new TeamsBridge({
    bot: new Connector({
      token: new BotToken({ url: teams.tokenUrl, appId, password, now: () => nowMs, timeoutMs: PATIENT_MS }),
      serviceHosts: [teams.url],
      timeoutMs: PATIENT_MS,
    }),
    values: { seal: ({ taskId }) => taskId, open: () => undefined },
    people: everybodyIn(teams),
    ...{ book, now: () => nowMs, reach: { loopback: true, privateHosts: [] } },
    report: (failure) => {
      throw failure;
    },
  });
}, UP_MS);
afterAll(async () => {
  await teams.stop();
  bot.close();
  await closeRedis(redis);
});
beforeEach(() => {
  teams.faults.clear();
  teams.limits.lifted = true;
  teams.chats.all.length = 0;
});

const noticeFor = (address: string, over: Partial<Notice<'teams'>> = {}): Notice<'teams'> => ({
  noticeId: randomUUID(),
  changeId: randomUUID(),
  destination: teamsAt(address),
  task: taskOf({ taskId: randomUUID() }),
  names: {},
  what: 'created',
  chat: true,
  link: 'http://127.0.0.1:4000/reviewer?task=1',
  unsure: false,
  ...over,
});
const installed = async (kind: Chat['kind'] = 'groupChat'): Promise<Chat> => {
  const chat = teams.chat(kind, 'Desk', 'Ann');
  await teams.install(chat);
  return chat;
};

describe('the bridge to Teams', () => {
  verifies(
    'BRG-72',
    'a card is posted once and changed in place, in messages the vendor’s reader takes',
    async () => {
      const chat = await installed();
      const notice = noticeFor(chat.id);
      const first = await bridge.show(notice);
      if (first.kind !== 'shown') throw new Error(first.kind);
      const { posted } = first;
      const task = { ...decidedTask, taskId: notice.task.taskId };
      expect(await bridge.show({ ...notice, task, posted, what: 'decided' })).toEqual({
        kind: 'shown',
        posted,
      });
      const [message, ...others] = teams.cards(chat);
      expect(others).toEqual([]);
      expect(message?.edits).toBe(1);
      expect(activityZodSchema.safeParse(message?.activity).success).toBe(true);
      expect(Activity.fromObject(message?.activity ?? {}).attachments?.[0]?.contentType).toBe(
        'application/vnd.microsoft.card.adaptive',
      );
      expect(JSON.stringify(cardOf(message!))).not.toContain('Action.Execute');
    },
  );

  verifies('BRG-72', 'who is asked to wait waits, and what is never taken is refused', async () => {
    const chat = await installed();
    const shown = async (status: number, retryAfterS?: number) => {
      teams.faults.next('post', {
        kind: 'status',
        status,
        ...(retryAfterS === undefined ? {} : { retryAfterS }),
      });
      return bridge.show(noticeFor(chat.id));
    };
    expect(await shown(429, 3)).toEqual({ kind: 'later', retryAfterMs: 3_000 });
    expect(await shown(412)).toMatchObject({ kind: 'later' });
    expect(await shown(403)).toMatchObject({ kind: 'refused' });
    expect(await shown(401)).toMatchObject({ kind: 'failed' });
    expect((await bridge.show(noticeFor(chat.id))).kind).toBe('shown');
    teams.faults.next('post', { kind: 'reset' });
    expect(await bridge.show(noticeFor(chat.id))).toMatchObject({ kind: 'unsure' });
    chat.installed = false;
    expect(await bridge.show(noticeFor(chat.id))).toMatchObject({ kind: 'refused' });
  });

  verifies('BRG-72', 'an update that was not heard of is sent again', async () => {
    const chat = await installed();
    const notice = noticeFor(chat.id);
    const first = await bridge.show(notice);
    const posted = first.kind === 'shown' ? first.posted : '';
    for (const fault of [
      { kind: 'drop-reply' },
      { kind: 'reset' },
      { kind: 'status', status: 504 },
    ] as const) {
      teams.faults.next('update', fault);
      expect(await bridge.show({ ...notice, posted })).toMatchObject({ kind: 'failed' });
    }
    expect(await bridge.show({ ...notice, posted })).toEqual({ kind: 'shown', posted });
    teams.cards(chat)[0]!.activity = undefined;
    expect(await bridge.show({ ...notice, posted })).toMatchObject({ kind: 'shown' });
    expect(teams.cards(chat)).toHaveLength(1);
  });

  verifies('BRG-73', 'a hundred posts whose reply was lost are a hundred cards', async () => {
    for (let nth = 0; nth < 100; nth += 1) {
      const chat = await installed();
      await teams.watch(chat.members[0]!, chat);
      teams.faults.next('post', nth % 2 === 0 ? { kind: 'drop-reply' } : { kind: 'status', status: 504 });
      const notice = noticeFor(chat.id);
      const first = await bridge.show(notice);
      expect(first).toMatchObject({ kind: 'unsure' });
      await teams.settled();
      const arrived = teams.cards(chat).length;
      const next = await bridge.show({ ...notice, unsure: true });
      if (arrived === 1) expect(next.kind).toBe('shown');
      else {
        expect(next.kind).toBe('waits');
        nowMs += 61_000;
        expect((await bridge.show({ ...notice, unsure: true })).kind).toBe('shown');
      }
      await teams.settled();
      expect(teams.cards(chat)).toHaveLength(1);
      teams.chats.all.length = 0;
    }
  });

  verifies('BRG-73', 'a card that turns up after a second one was posted is taken away', async () => {
    const chat = await installed();
    teams.faults.next('post', { kind: 'drop-reply' });
    const notice = noticeFor(chat.id);
    expect(await bridge.show(notice)).toMatchObject({ kind: 'unsure' });
    expect(await bridge.show({ ...notice, unsure: true })).toEqual({ kind: 'waits', forMs: 2_000 });
    nowMs += 61_000;
    const second = await bridge.show({ ...notice, unsure: true });
    if (second.kind !== 'shown') throw new Error(second.kind);
    expect(teams.cards(chat)).toHaveLength(2);
    await teams.watch(chat.members[0]!, chat);
    await bridge.show({ ...notice, posted: second.posted, what: 'changed' });
    expect(teams.cards(chat).map(({ id }) => id)).toEqual([(JSON.parse(second.posted) as string[])[1]]);
  });

  verifies(
    'BRG-74',
    'cards go where the app is installed, to a person’s own chat by either name, and nowhere else',
    async () => {
      const chat = await installed('personal');
      const [user] = chat.members;
      for (const address of [chat.id, user!.mri, user!.aadObjectId])
        expect((await bridge.show(noticeFor(address))).kind).toBe('shown');
      expect(teams.cards(chat)).toHaveLength(3);
      await teams.uninstall(chat);
      teams.chats.all.length = 0;
      teams.chat('groupChat', 'Desk', 'Bob');
      const at = { ...teamsAt('19:nowhere'), serviceUrl: teams.serviceUrl };
      expect(await bridge.show(noticeFor('', { destination: at }))).toMatchObject({ kind: 'refused' });
    },
  );

  verifies('BRG-69', 'those who may decide and are known here have a view of their own', async () => {
    const chat = await installed();
    teams.chat('groupChat', 'Elsewhere', 'Stranger');
    await bridge.show(noticeFor(chat.id));
    expect(cardOf(teams.cards(chat)[0]!)).toMatchObject({ refresh: { userIds: [chat.members[0]!.mri] } });
  });

  verifies(
    'BRG-63',
    'threat 10, 22: the bot’s token goes to no address that was merely stored, nor where it is sent on to',
    async () => {
      const chat = await installed();
      let stolen = 0;
      const thief = await answering(() => Promise.resolve({ id: String((stolen += 1)) }));
      await book.learn({
        keep: { conversation: chat.id, kind: 'groupChat', serviceUrl: urlOf(thief), tenant: 'x' },
      });
      expect(await bridge.show(noticeFor(chat.id))).toMatchObject({ kind: 'refused' });
      expect(stolen).toBe(0);
      thief.close();
    },
  );

  verifies('BRG-76', 'one token serves all calls, and one that is not taken is replaced', async () => {
    const chat = await installed();
    const before = teams.calls.length;
    await Promise.all(Array.from({ length: 20 }, () => bridge.show(noticeFor(chat.id))));
    expect(teams.calls.length - before).toBe(20);
    teams.entra.revoke();
    expect(await bridge.show(noticeFor(chat.id))).toMatchObject({ kind: 'failed' });
    expect((await bridge.show(noticeFor(chat.id))).kind).toBe('shown');
    teams.entra.revoke();
    await bridge.show(noticeFor(chat.id));
    teams.faults.next('token', { kind: 'reset' });
    expect(await bridge.show(noticeFor(chat.id))).toMatchObject({ kind: 'failed' });
  });
});
