/** Runs told in a Teams that keeps its limits: in a person's own chat, in a channel, and where answers are lost. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeRedis, connectRedis, createLog } from '@triptych/platform';
import { ownDatabase, until } from '@triptych/testkit';
import type { Redis } from 'ioredis';
import type { Chat, ChatKind, Message } from '../../../../../test/fakes/teams/chats.js';
import { FakeTeams } from '../../../../../test/fakes/teams/fake-teams.js';
import { verifies } from '../../../../../test/spec/verifies.js';
import { hears } from '../../../test/benches/teams.js';
import { PlayedRuns } from '../../../test/played-runs.js';
import { decided, Questions, taskOf, viewOf } from '../../../test/views.js';
import { RedisPostingStore } from '../../adapters/redis-posting-store.js';
import { compileBridges, type Bridges } from '../../core/bridges.js';
import { People } from '../../core/people.js';
import { RedisProgressStore } from '../../progress/adapters/redis-progress-store.js';
import { Teller } from '../../progress/shell/teller.js';
import { BotToken } from './bot-token.js';
import { Connector } from './connector.js';
import { RedisTeamsBook } from './redis-teams-book.js';
import { TeamsVoice } from './teams-voice.js';

const UP_MS = 240_000;
const TRY_MS = 120_000;
/** Nothing that is tried here is slow by itself, ms. */
const PATIENT_MS = 120_000;

const part = (bytes: number): string => randomBytes(bytes).toString('base64url');

let redis: Redis;
let teams: FakeTeams;
let hub: Server;
let runs: PlayedRuns;
let stops: (() => Promise<void> | void)[];

beforeAll(async () => {
  redis = await connectRedis(`${process.env['REDIS_URL']}/${ownDatabase()}`, 'commands', {
    log: createLog({ level: 'silent' }),
  });
  teams = await FakeTeams.start();
  teams.invokes.patienceMs = PATIENT_MS;
  hub = await hears(new RedisTeamsBook(redis));
  teams.invokes.botUrl = `http://127.0.0.1:${(hub.address() as AddressInfo).port}/`;
}, UP_MS);
beforeEach(() => {
  [runs, stops] = [new PlayedRuns(), []];
});
afterEach(async () => {
  for (const stop of stops) await stop();
  await redis.flushdb();
  teams.faults.clear();
});
afterAll(async () => {
  await teams?.stop();
  hub?.close();
  await closeRedis(redis);
}, UP_MS);

interface Told {
  readonly card: Message;
  readonly said: () => readonly Message[];
}

const place = async (kind: ChatKind): Promise<{ chat: Chat; card: Message; id: string }> => {
  const chat = teams.chat(kind, 'Desk', 'Ann');
  await teams.install(chat);
  const card = teams.chats.post(chat, { type: 'message' }, { id: teams.chats.newMessageId(), from: 'bot' });
  return { chat, card, id: `desk-${randomUUID().slice(0, 8)}` };
};

const bridgesFor = (places: readonly { chat: Chat; id: string }[]): Bridges => {
  const { serviceUrl } = teams;
  const read = compileBridges(
    {
      teams: { serviceHosts: [teams.url] },
      destinations: places.map(({ chat, id }) => ({ id, kind: 'teams', address: chat.id, serviceUrl })),
      routes: [{ to: places.map(({ id }) => id), progress: true }],
    },
    {},
  );
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value;
};

/** A worker who tells the run of a task that was decided. */
const workerFor = async (bridges: Bridges, taskId: string): Promise<void> => {
  const batchId = taskId.slice(0, taskId.lastIndexOf('.'));
  const questions = new Questions();
  questions.put(taskOf(decided(viewOf(taskId, { batch: { batchId, state: 'running', open: 0, total: 1 } }))));
  questions.carriedBy(batchId, 'r');
  const { appId, password } = teams.entra;
  const token = new BotToken({ url: teams.tokenUrl, appId, password, now: Date.now, timeoutMs: PATIENT_MS });
  const bot = new Connector({ token, serviceHosts: [teams.url], timeoutMs: PATIENT_MS });
  const teller = new Teller({
    ...{ store: new RedisProgressStore(redis), cards: new RedisPostingStore(redis), tasks: questions, runs },
    ...{ bridges, people: new People([]), now: Date.now, worker: randomUUID(), report: () => undefined },
    voices: new Map([['teams', new TeamsVoice({ bot, book: new RedisTeamsBook(redis) })]]),
    sleep: (ms, signal) => sleep(ms, undefined, { ref: false, ...(signal ? { signal } : {}) }),
  });
  await teller.look((await questions.batch(batchId))!);
  const timer = setInterval(() => void teller.round(), 100);
  stops.push(
    () => clearInterval(timer),
    () => teller.stop(),
  );
};

const told = async (...kinds: readonly ChatKind[]): Promise<readonly Told[]> => {
  const places = await Promise.all(kinds.map(place));
  const taskId = `${part(16)}.${part(12)}.${part(12)}`;
  const was = { state: 'decided', groups: 1, trouble: false } as const;
  for (const { chat, card, id: destination } of places) {
    const posted = JSON.stringify([chat.id, card.id]);
    await new RedisPostingStore(redis).keep({ taskId, destination }, { shown: { posted, print: '', was } });
  }
  await workerFor(bridgesFor(places), taskId);
  return places.map(({ chat, card }) => ({
    card,
    said: () => chat.messages.filter((message) => message !== card),
  }));
};

const textOf = ({ activity }: Message): string => String(activity?.text);
const begins = (): void => runs.play('r', { type: 'STEP_STARTED', stepName: 'Booking' });

describe('the voice in Teams', () => {
  verifies(
    'BRG-151',
    'streams in a person’s own chat: what goes on, then the words, then the end',
    async () => {
      begins();
      const [own] = await told('personal');
      const { said } = own!;
      await until(() => said().some((message) => textOf(message) === '… Booking'));
      expect(said()[0]?.activity).toMatchObject({
        type: 'typing',
        entities: [{ streamType: 'informative' }],
      });
      runs.says('r', 'm', 'The money **is** on its way.');
      await until(() => textOf(said()[0]!) === 'The money **is** on its way.');
      expect(said()[0]?.activity).toMatchObject({
        entities: [{ streamType: 'streaming', streamSequence: 2 }],
      });
      runs.ends('r');
      await until(() => textOf(said()[0]!).endsWith('The run is over.'));
      expect(said()).toHaveLength(1);
      expect(said()[0]?.activity).toMatchObject({
        ...{ type: 'message', textFormat: 'plain', entities: [{ streamType: 'final' }] },
        text: 'The money **is** on its way.\n\n– Booking\n\nThe run is over.',
      });
    },
    TRY_MS,
  );

  verifies(
    'BRG-151',
    'changes its message below the card in a channel, and whole where a stream was stopped',
    async () => {
      begins();
      const [channel, own] = (await told('channel', 'personal')) as [Told, Told];
      await until(() => [...channel.said(), ...own.said()].length === 2);
      runs.says('r', 'm', 'First.');
      await until(() => [...channel.said(), ...own.said()].every((one) => textOf(one).startsWith('First.')));
      teams.faults.next('post', { kind: 'status', status: 403 });
      runs.says('r', 'n', 'Second.');
      runs.ends('r');
      const whole = 'First.\n\nSecond.\n\n– Booking\n\nThe run is over.';
      await until(() => [...channel.said(), ...own.said()].every((one) => textOf(one) === whole));
      expect(channel.said()).toMatchObject([{ below: channel.card.id }]);
      expect(own.said()).toMatchObject([{ edits: 1 }]);
      expect(channel.said()[0]!.edits).toBeGreaterThan(0);
    },
    TRY_MS,
  );

  verifies(
    'BRG-150',
    'says no word twice where the answer to its post was lost',
    async () => {
      teams.faults.next('post', { kind: 'drop-reply' });
      begins();
      runs.says('r', 'm', 'Once.');
      const [group] = await told('groupChat');
      const { said } = group!;
      await until(() => said().length === 1);
      runs.ends('r');
      await until(() => said().some((message) => textOf(message).startsWith('Once.')));
      expect(said().map(textOf)).toEqual(['The agent is at work.', 'Once.\n\n– Booking\n\nThe run is over.']);
    },
    TRY_MS,
  );
});
