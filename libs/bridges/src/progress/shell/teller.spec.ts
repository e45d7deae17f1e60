/** From a run to its message: on real Redis, by several workers, with a chat that has bad days. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeRedis, connectRedis, createLog } from '@triptych/platform';
import { ownDatabase, until } from '@triptych/testkit';
import type { Redis } from 'ioredis';
import { verifies } from '../../../../../test/spec/verifies.js';
import { PlayedRuns } from '../../../test/played-runs.js';
import { decided, Questions, taskOf, viewOf } from '../../../test/views.js';
import { VoiceBoard } from '../../../test/voice-board.js';
import { RedisPostingStore } from '../../adapters/redis-posting-store.js';
import { compileBridges, type Bridges } from '../../core/bridges.js';
import { People } from '../../core/people.js';
import { RedisProgressStore } from '../adapters/redis-progress-store.js';
import { Teller } from './teller.js';

const TRY_MS = 60_000;
const QUICK = { pageChars: 1_000, changeMs: 20, addMs: 10, streamMs: 240_000, canLook: true };

const part = (bytes: number): string => randomBytes(bytes).toString('base64url');
const idOf = (): string => `${part(16)}.${part(12)}.${part(12)}`;
const batchOf = (taskId: string): string => taskId.slice(0, taskId.lastIndexOf('.'));

describe('telling runs', () => {
  let redis: Redis;
  let runs: PlayedRuns;
  let questions: Questions;
  let tellers: Teller[];
  beforeAll(async () => {
    redis = await connectRedis(`${process.env['REDIS_URL']}/${ownDatabase()}`, 'commands', {
      log: createLog({ level: 'silent' }),
    });
  });
  beforeEach(() => {
    [runs, questions, tellers] = [new PlayedRuns(), new Questions(), []];
  });
  afterEach(async () => {
    await Promise.all(tellers.map((teller) => teller.stop()));
    await redis.flushdb();
  });
  afterAll(() => closeRedis(redis));

  const bridgesOf = (...routes: readonly object[]): Bridges => {
    const read = compileBridges(
      {
        destinations: ['a', 'b'].map((id) => ({ id, kind: 'slack', address: `C${id.toUpperCase()}000` })),
        routes,
      },
      {},
    );
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    return read.value;
  };

  /** A worker that goes round by itself until it is stopped. */
  const workerWith = (board: VoiceBoard | undefined, bridges: Bridges): Teller => {
    const teller = new Teller({
      ...{
        store: new RedisProgressStore(redis),
        cards: new RedisPostingStore(redis),
        tasks: questions,
        runs,
        bridges,
      },
      ...{ people: new People([]), now: Date.now, worker: randomUUID() },
      voices: new Map(board ? [['slack', board]] : []),
      sleep: (ms, signal) => sleep(ms, undefined, { ref: false, ...(signal ? { signal } : {}) }),
      report: () => undefined,
    });
    tellers.push(teller);
    return teller;
  };
  const goesRound = (teller: Teller): (() => void) => {
    const timer = setInterval(() => void teller.round(), 20);
    return () => clearInterval(timer);
  };

  /** A task that was decided, with a card at both destinations. */
  const answered = async (runId: string): Promise<string> => {
    const taskId = idOf();
    questions.put(
      taskOf(
        decided(viewOf(taskId, { batch: { batchId: batchOf(taskId), state: 'running', open: 0, total: 1 } })),
      ),
    );
    questions.carriedBy(batchOf(taskId), runId);
    const cards = new RedisPostingStore(redis);
    const was = { state: 'decided', groups: 1, trouble: false } as const;
    for (const destination of ['a', 'b'])
      await cards.keep({ taskId, destination }, { shown: { posted: `C${destination} 1.0`, print: '', was } });
    return taskId;
  };
  const look = async (teller: Teller, taskId: string): Promise<void> =>
    teller.look((await questions.batch(batchOf(taskId)))!);

  verifies(
    'BRG-140',
    'is done where a route says so, and nowhere else',
    async () => {
      const board = new VoiceBoard(QUICK);
      const teller = workerWith(board, bridgesOf({ to: ['a'], progress: true }, { to: ['b'] }));
      const silent = workerWith(board, bridgesOf({ to: ['a', 'b'] }));
      expect([teller.isWanted, silent.isWanted]).toEqual([true, false]);
      const taskId = await answered('r');
      runs.says('r', 'm', 'Done.');
      runs.ends('r');
      await look(silent, taskId);
      expect(await Promise.all(await silent.round())).toEqual([]);
      await look(teller, taskId);
      expect(await Promise.all(await teller.round())).toHaveLength(1);
      expect(board.messages).toMatchObject([{ text: 'Done.', standing: 'The run is over.' }]);
      await look(teller, taskId);
      expect(await teller.round()).toEqual([]);
    },
    TRY_MS,
  );

  verifies(
    'BRG-152',
    'is left to others by a worker that speaks in no chat',
    async () => {
      const board = new VoiceBoard(QUICK);
      const bridges = bridgesOf({ to: ['a'], progress: true });
      const [mute, teller] = [workerWith(undefined, bridges), workerWith(board, bridges)];
      expect([mute.canTell, teller.canTell]).toEqual([false, true]);
      const taskId = await answered('r');
      runs.says('r', 'm', 'Done.');
      runs.ends('r');
      await look(mute, taskId);
      expect(await Promise.all(await teller.round())).toHaveLength(1);
      expect(board.text).toBe('Done.');
    },
    TRY_MS,
  );

  verifies(
    'BRG-144',
    'is one worker’s at a time, and the next one’s when that one goes',
    async () => {
      const board = new VoiceBoard(QUICK);
      const bridges = bridgesOf({ to: ['a'], progress: true });
      const [first, second] = [workerWith(board, bridges), workerWith(board, bridges)];
      const taskId = await answered('r');
      runs.says('r', 'm', 'First.');
      await look(first, taskId);
      const stops = [goesRound(first), goesRound(second)];
      await until(() => board.text === 'First.');
      expect(runs.follows).toBe(1);
      await first.stop();
      runs.says('r', 'n', 'Second.');
      await until(() => board.text === 'First.\n\nSecond.');
      runs.ends('r');
      await until(() => board.messages[0]?.standing === 'The run is over.');
      expect([board.messages.length, runs.follows]).toEqual([1, 2]);
      stops.forEach((stop) => stop());
    },
    TRY_MS,
  );

  verifies(
    'BRG-141',
    'goes on with the run after it in a message of its own, and begins anew when what was heard is void',
    async () => {
      const board = new VoiceBoard(QUICK);
      const teller = workerWith(board, bridgesOf({ to: ['a'], progress: true }));
      const stop = goesRound(teller);
      const taskId = await answered('r');
      runs.says('r', 'm', 'One.');
      await look(teller, taskId);
      await until(() => board.text === 'One.');
      runs.lose('r');
      await until(() => runs.follows === 2);
      questions.carriedBy(batchOf(taskId), 's');
      await look(teller, taskId);
      runs.play('r', { type: 'RUN_ERROR' });
      await until(() => board.messages[0]?.standing === 'The run failed.');
      runs.says('s', 'm', 'Two.');
      runs.ends('s');
      await until(() => board.messages[1]?.standing === 'The run is over.');
      expect(board.messages.map(({ text }) => text)).toEqual(['One.', 'Two.']);
      stop();
    },
    TRY_MS,
  );

  verifies(
    'BRG-146',
    'waits where a place limits, and nowhere else',
    async () => {
      const board = new VoiceBoard(QUICK);
      const teller = workerWith(board, bridgesOf({ to: ['a', 'b'], progress: true }));
      const stop = goesRound(teller);
      board.moods.push({ kind: 'later', retryAfterMs: 3_600_000 });
      runs.says('r', 'm', 'Told.');
      const [taskId, soon] = [await answered('r'), Date.now() + 600_000];
      await look(teller, taskId);
      await until(() => board.messages.length === 1);
      runs.ends('r');
      await until(() => board.messages[0]?.standing === 'The run is over.');
      expect(board.acts.map(({ kind }) => kind)).toEqual(['post', 'post', 'change']);
      await until(async () => (await redis.zcard('tt:progress')) === 1);
      await look(teller, taskId);
      await until(async () => (await redis.zcount('tt:progress', String(soon), '+inf')) === 1);
      expect(board.acts).toHaveLength(3);
      stop();
    },
    TRY_MS,
  );

  verifies(
    'BRG-147',
    'is done for 50 runs at once, and the others have their turn',
    async () => {
      const board = new VoiceBoard(QUICK);
      const teller = workerWith(board, bridgesOf({ to: ['a'], progress: true }));
      const names = Array.from({ length: 55 }, (_, nth) => `run-${nth}`);
      for (const runId of names) {
        runs.says(runId, 'm', runId);
        await look(teller, await answered(runId));
      }
      expect(await teller.round()).toHaveLength(50);
      expect(await teller.round()).toEqual([]);
      const stop = goesRound(teller);
      await until(() => runs.follows === 50);
      for (const runId of names) runs.ends(runId);
      await until(
        () => board.messages.filter(({ standing }) => standing === 'The run is over.').length === 55,
      );
      expect(new Set(board.messages.map(({ text }) => text))).toEqual(new Set(names));
      stop();
    },
    TRY_MS,
  );
});
