/** The contract's side of Teams, where somebody has every chat before them. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { shapeOf } from '@triptych/access';
import { closeRedis, connectRedis, createLog } from '@triptych/platform';
import type { Chat } from '../../../../test/fakes/teams/chats.js';
import { cardOf } from '../../../../test/fakes/teams/connector.js';
import { FakeTeams } from '../../../../test/fakes/teams/fake-teams.js';
import { type BridgeTerms, type Found, LIMITED_MS, type Place } from '../../src/contract.js';
import type { TeamsDestination } from '../../src/core/destination.js';
import { People, type NamedPerson } from '../../src/core/people.js';
import { BotToken } from '../../src/teams/adapters/bot-token.js';
import { Connector } from '../../src/teams/adapters/connector.js';
import { RedisTeamsBook } from '../../src/teams/adapters/redis-teams-book.js';
import { TeamsBridge, type TeamsBridgeOptions } from '../../src/teams/adapters/teams-bridge.js';
import { placeIdOf, readActivity } from '../../src/teams/core/activity.js';
import { cardActionIn } from '../../src/teams/core/card-action.js';
import { learnFrom } from '../../src/teams/core/places.js';
import { everyOf } from './every-of.js';
import { NOWHERE } from './nowhere.js';

/** Nothing that is tried here is slow by itself, ms. */
const PATIENT_MS = 120_000;

export const teamsAt = (address: string, mode: 'bot' | 'workflow' = 'bot'): TeamsDestination => ({
  ...{ id: 'desk', kind: 'teams', tenant: 'default', args: shapeOf(['']), address, mode },
  serviceUrl: 'https://smba.trafficmanager.net/teams/',
});

/** As its reader finds it; Markdown is known to blocks of text alone. */
export const adaptive = (card: object): Found => ({
  raw: JSON.stringify(card),
  markup: everyOf(card, 'type', 'TextBlock')
    .map((block) => String(block['text']))
    .join('\n'),
  // Those of the view that its readers get besides.
  buttons: everyOf(card, 'type', 'Action.Execute').length,
});

export const bookOn = async (): Promise<{ book: RedisTeamsBook; close: () => Promise<void> }> => {
  const redis = await connectRedis(process.env['REDIS_URL'] as string, 'commands', {
    log: createLog({ level: 'silent' }),
  });
  return { book: new RedisTeamsBook(redis), close: () => closeRedis(redis) };
};

export const bridgeOf = (
  parts: Partial<TeamsBridgeOptions> & Pick<TeamsBridgeOptions, 'book'>,
): TeamsBridge =>
  new TeamsBridge({
    ...{ bot: undefined, values: { seal: ({ taskId }) => taskId, open: () => undefined } },
    ...{ people: new People([]), reach: { loopback: true, privateHosts: [] }, now: Date.now },
    report: (failure) => {
      throw failure;
    },
    ...parts,
  });

/** Without a bot: workflows alone. */
export const openTeams = async (): Promise<{ bridge: TeamsBridge; close: () => Promise<void> }> => {
  const { book, close } = await bookOn();
  return { bridge: bridgeOf({ book }), close };
};

/** What the hub's door does with an activity, as far as the bridge learns of it. */
export const hears = async (book: RedisTeamsBook): Promise<Server> => {
  const server = createServer((request, response) => {
    const hear = async (): Promise<object> => {
      const activity = readActivity(JSON.parse(await text(request)));
      if (!activity.ok) return {};
      await book.learn(learnFrom(activity.value));
      const action = cardActionIn(activity.value);
      if (!action?.ok) return {};
      const at = { conversation: placeIdOf(activity.value), taskId: action.value.value };
      await book.sawCard(at, activity.value.replyToId);
      return { statusCode: 200, type: 'application/vnd.microsoft.activity.message', value: 'Seen.' };
    };
    void hear().then((answer) => response.end(JSON.stringify(answer)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
};

const placeIn = (teams: FakeTeams, chat: Chat): Place<'teams'> => ({
  destination: teamsAt(chat.id),
  found: () => teams.cards(chat).map((message) => adaptive(cardOf(message) ?? {})),
  meet: (trouble) => {
    if (trouble === 'never') chat.installed = false;
    else if (trouble === 'limited')
      teams.faults.next('post', { kind: 'status', status: 429, retryAfterS: LIMITED_MS / 1_000 });
    else teams.faults.next('post', { kind: trouble === 'drop' ? 'drop-reply' : 'reset' });
  },
});

/** All whom it has, linked. */
export const everybodyIn = (teams: FakeTeams): People => {
  const those = (): readonly NamedPerson[] =>
    teams.chats.all
      .flatMap(({ members }) => members)
      .map(({ aadObjectId }) => ({
        ...{ subject: aadObjectId, tenant: 'default', roles: ['reviewer'], groups: ['advisors'] },
        linked: [{ kind: 'teams', id: aadObjectId }],
      }));
  return { those } as unknown as People;
};

export const teamsTerms: BridgeTerms<'teams'> = {
  ...{ changes: true, decides: true, limits: true, resends: true, maxBytes: 28 * 1024 },
  marks: ['**', '](https:', '<at>', '{{DATE'],
  start: async () => {
    let aheadMs = 0;
    const now = (): number => Date.now() + aheadMs;
    const [{ book, close }, teams] = [await bookOn(), await FakeTeams.start()];
    const hub = await hears(book);
    teams.invokes.botUrl = `http://127.0.0.1:${(hub.address() as AddressInfo).port}/`;
    teams.invokes.patienceMs = PATIENT_MS;
    teams.limits.lifted = true;
    const { appId, password } = teams.entra;
    const botAt = (url: string): Connector =>
      new Connector({
        token: new BotToken({ url, appId, password, now, timeoutMs: PATIENT_MS }),
        ...{ serviceHosts: [teams.url], timeoutMs: PATIENT_MS },
      });
    const people = everybodyIn(teams);
    return {
      bridge: bridgeOf({ book, now, people, bot: botAt(teams.tokenUrl) }),
      place: async () => {
        const chat = teams.chat('groupChat', 'Desk', 'Ann');
        await teams.install(chat);
        await teams.watch(chat.members[0]!, chat);
        return placeIn(teams, chat);
      },
      astray: () => ({
        bridge: bridgeOf({ book, now, people, bot: botAt(NOWHERE) }),
        destination: teamsAt('19:gone'),
      }),
      later: async (ms) => {
        aheadMs += ms;
        await teams.settled();
      },
      close: async () => {
        await teams.stop();
        hub.close();
        await close();
      },
    };
  },
};
