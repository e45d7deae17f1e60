import { setTimeout as sleep } from 'node:timers/promises';
import { verifies } from '../../../../test/spec/verifies.js';
import { openBench, type Bench } from '../../test/bench.js';
import { engine, freshThread, inOrder, intakeOn, pushing } from '../../test/push-bench.js';
import { story } from '../../test/push-story.js';
import type { LogToWrite } from '../core/ports.js';
import { refusedEvents } from '../adapters/refused-events.js';

const ROUNDS = 200;
/** Rounds under way at the same time. */
const ABREAST = 4;
const SLOW_MS = 12;

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

const rounds = async (play: (nth: number) => Promise<void>): Promise<void> => {
  for (let first = 0; first < ROUNDS; first += ABREAST)
    await Promise.all(Array.from({ length: ABREAST }, (_, nth) => play(first + nth)));
};

/** A hub that is slow at the worst place: between what it has judged and what it stores of it. */
const slowHub = () => {
  const append: LogToWrite['append'] = async (request) => {
    await sleep(Math.random() * SLOW_MS);
    return bench.log.append(request);
  };
  const log = { append, begin: bench.log.begin.bind(bench.log), read: bench.log.read.bind(bench.log) };
  return intakeOn(bench, { log });
};

const codesOf = async (thread: ReturnType<typeof freshThread>) =>
  (await bench.entriesOf(thread)).map(({ event }) => event.code ?? event.type);

describe('pushes of one thread that meet', () => {
  verifies(
    'ING-23',
    'as a window ends: what a hub stops waiting for is never judged as the first word of a run',
    async () => {
      const [one, other] = [slowHub(), intakeOn(bench, { reorderWindowMs: 0 })];
      await rounds(async (nth) => {
        const thread = freshThread();
        await bench.ledger.createThread({
          threadId: thread,
          tenant: 'default',
          owner: 'amelia',
          agentId: engine.id,
        });
        const sends = story(thread).map((event, at) => ({ event, position: at + 1 }));
        const beginning = one.pushInOrder(inOrder(thread, sends.slice(0, 1)));
        await sleep(nth % SLOW_MS);
        await Promise.all([beginning, other.pushInOrder(inOrder(thread, sends.slice(1, 3)))]);
        const refused = (await refusedEvents(bench.redis, thread)).map(({ rule }) => rule);
        expect([await codesOf(thread), refused]).toEqual(
          refused.length === 0
            ? [['RUN_STARTED', 'TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT'], []]
            : [['RUN_STARTED'], ['first-event', 'first-event']],
        );
      });
    },
    120_000,
  );

  verifies(
    'ING-23',
    'counted by two producers: the other one’s event is before the run or in it',
    async () => {
      const [one, other] = [slowHub(), intakeOn(bench)];
      const word = { type: 'CUSTOM', name: 'n', value: 1 };
      await rounds(async (nth) => {
        const thread = freshThread();
        await one.push(pushing(thread, story(thread, 'r0')));
        const beginning = one.push(pushing(thread, [story(thread)[0]!], { seq: 7 }));
        await sleep(nth % SLOW_MS);
        const [began] = await Promise.all([beginning, other.push(pushing(thread, [word], { id: 'q' }))]);
        expect(began.ok).toBe(true);
        expect((await codesOf(thread)).slice(7)).toEqual(
          (await refusedEvents(bench.redis, thread)).length === 0
            ? ['RUN_STARTED', 'CUSTOM']
            : ['RUN_STARTED'],
        );
      });
    },
    120_000,
  );

  verifies(
    'ING-24',
    'to begin two runs: one is taken, the other is told THREAD_BUSY, and nothing of it is left',
    async () => {
      const hubs = [intakeOn(bench), intakeOn(bench), intakeOn(bench)];
      await rounds(async () => {
        const thread = freshThread();
        const answers = await Promise.all(
          hubs.map((hub, nth) =>
            hub.push(pushing(thread, story(thread, `r${nth}`).slice(0, 2), { id: `p${nth}` })),
          ),
        );
        const codes = answers.map((answer) => (answer.ok ? 'ok' : answer.refusal.code));
        expect(codes.toSorted()).toEqual(['THREAD_BUSY', 'THREAD_BUSY', 'ok']);
        expect(await codesOf(thread)).toEqual(['RUN_STARTED', 'TEXT_MESSAGE_START']);
        const records = await Promise.all(hubs.map((_, nth) => bench.ledger.run(thread, `r${nth}`)));
        expect(records.filter((record) => record !== undefined)).toHaveLength(1);
      });
    },
    120_000,
  );
});
