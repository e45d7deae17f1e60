import { setTimeout as sleep } from 'node:timers/promises';
import { threadTag } from '@triptych/platform';
import * as fc from 'fast-check';
import { verifies } from '../../../../test/spec/verifies.js';
import { openBench, type Bench } from '../../test/bench.js';
import { engine, freshThread, inOrder, intakeOn, pushing } from '../../test/push-bench.js';
import { story } from '../../test/push-story.js';
import { findingsOf } from '../adapters/findings.js';
import { refusedEvents } from '../adapters/refused-events.js';
import { keysOf } from '../adapters/run-keys.js';

const WINDOW = 300;
const PATIENCE_MS = 60_000;

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

const soon = () => intakeOn(bench, { reorderWindowMs: WINDOW });
const types = (events: readonly { readonly type: string }[]): string[] => events.map(({ type }) => type);
const found = async (thread: ReturnType<typeof freshThread>) =>
  (await findingsOf(bench.redis, thread, { limit: 200 })).items.toReversed();

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(20)) if (await holds()) return;
  throw new Error('it never came to be');
};

const ascending = (positions: readonly number[]): number[] => positions.toSorted((a, b) => a - b);
/** Taken, or told which event broke a rule; anything else would have to be sent again. */
const told = (answer: Awaited<ReturnType<ReturnType<typeof soon>['pushInOrder']>>): string | true =>
  answer.ok || answer.refusal.code;

describe('events with positions', () => {
  verifies('ING-16', 'are put in order, repeats dropped, through several hubs at once', async () => {
    const thread = freshThread();
    const hubs = [intakeOn(bench), intakeOn(bench), intakeOn(bench)];
    const events = story(thread, 'r1', 50);
    const sends = events.map((event, nth) => ({ event, position: nth + 1 }));
    // Three sources, each with every third event, the last ones first; everything is sent twice.
    const pushes = [0, 1, 2, 0, 1, 2].flatMap((source, round) =>
      Array.from({ length: 6 }, (_, nth) => 5 - nth).map((nth) => ({
        hub: hubs[(source + round) % 3]!,
        sent: sends.filter((_, at) => at % 3 === source && Math.floor(at / 9) === nth),
      })),
    );
    const answers = await Promise.all(pushes.map(({ hub, sent }) => hub.pushInOrder(inOrder(thread, sent))));
    const sum = { accepted: 0, duplicates: 0, buffered: 0 };
    for (const answer of answers) {
      if (!answer.ok) throw new Error(answer.refusal.message);
      sum.accepted += answer.value.accepted;
      sum.duplicates += answer.value.duplicates;
      sum.buffered += answer.value.buffered;
    }
    expect(sum.duplicates).toBe(events.length);
    expect(sum.accepted + sum.buffered).toBe(events.length);
    const entries = await bench.entriesOf(thread);
    expect(entries.map(({ event }) => event)).toEqual([
      expect.objectContaining({ type: 'RUN_STARTED' }),
      ...events.slice(1),
    ]);
    expect(await found(thread)).toEqual([]);
    expect(await bench.redis.exists(keysOf(thread).waiting, keysOf(thread).held)).toBe(0);
  });

  verifies(
    'ING-17',
    'wait for a missing one as long as the window, and then go on with a finding',
    async () => {
      const thread = freshThread();
      const hub = soon();
      const events = story(thread);
      const sends = events.map((event, nth) => ({ event, position: nth + 1 }));
      const lost = sends[3]!;
      const answer = await hub.pushInOrder(inOrder(thread, sends.toSpliced(3, 1)));
      expect(answer).toMatchObject({ ok: true, value: { accepted: 3, buffered: 3, duplicates: 0 } });
      await until(async () => (await bench.typesOf(thread)).length === 6);
      expect(await bench.typesOf(thread)).toEqual(types(events.toSpliced(3, 1)));
      expect(await found(thread)).toMatchObject([{ kind: 'missing-position', runId: 'r1' }]);
      const late = await hub.pushInOrder(inOrder(thread, [lost]));
      expect(late).toMatchObject({ ok: true, value: { accepted: 0, refused: 1 } });
      expect(await found(thread)).toMatchObject([{}, { kind: 'late-position', rule: 'run-over' }]);
      expect((await refusedEvents(bench.redis, thread)).map(({ rule }) => rule)).toEqual(['run-over']);
      expect(await hub.pushInOrder(inOrder(thread, [lost]))).toMatchObject({ value: { duplicates: 1 } });
    },
  );

  verifies(
    'ING-18',
    'that come late are stored while they are legal; what is not, ends nothing',
    async () => {
      const thread = freshThread();
      const hub = intakeOn(bench, { reorderWindowMs: 0 });
      const sends = story(thread, 'r1', 5).map((event, nth) => ({ event, position: nth + 1 }));
      await hub.pushInOrder(inOrder(thread, [sends[0]!, sends[1]!, sends[4]!]));
      const nobody = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'nobody', delta: 'x' };
      const late = await hub.pushInOrder(inOrder(thread, [sends[2]!, { position: 4, event: nobody }]));
      expect(late).toMatchObject({ ok: true, value: { accepted: 1, refused: 1 } });
      const rest = await hub.pushInOrder(inOrder(thread, sends.slice(5)));
      expect(rest).toMatchObject({ ok: true, value: { accepted: sends.length - 5 } });
      const texts = (await bench.entriesOf(thread)).flatMap(({ event }) => event.delta ?? []);
      expect(texts).toEqual(['2 ', '0 ', '3 ', '4 ']);
      expect(await bench.ledger.run(thread, 'r1')).toMatchObject({ status: 'success' });
      expect((await found(thread)).map(({ kind, rule }) => [kind, rule])).toEqual([
        ['missing-position', undefined],
        ['late-position', undefined],
        ['late-position', 'not-open'],
      ]);
    },
  );

  verifies('ING-18', 'that are refused late leave chunks as they were', async () => {
    const thread = freshThread();
    const hub = intakeOn(bench, { reorderWindowMs: 0 });
    const chunk = (delta: string, more: object = {}) => ({ type: 'TEXT_MESSAGE_CHUNK', delta, ...more });
    const ids = { threadId: thread, runId: 'r1' };
    const send = (position: number, event: object) => hub.pushInOrder(inOrder(thread, [{ position, event }]));
    await send(1, { type: 'RUN_STARTED', ...ids });
    await send(2, chunk('a', { messageId: 'm', role: 'assistant' }));
    await send(4, chunk('b'));
    await send(3, { type: 'TEXT_MESSAGE_END', messageId: 'nobody' });
    expect(await send(5, chunk('c'))).toMatchObject({ ok: true, value: { accepted: 1 } });
    await send(6, { type: 'RUN_FINISHED', ...ids });
    const log = (await bench.entriesOf(thread)).map(({ event }) => event.delta ?? event.type);
    expect(log).toEqual([
      ...['RUN_STARTED', 'TEXT_MESSAGE_START', 'a', 'b', 'c', 'TEXT_MESSAGE_END', 'RUN_FINISHED'],
    ]);
  });

  verifies('ING-19', 'that wait are moved on by the worker when their hub is gone', async () => {
    const thread = freshThread();
    const sends = story(thread).map((event, nth) => ({ event, position: nth + 1 }));
    // This hub's patience never ends: as if it had died.
    await intakeOn(bench).pushInOrder(inOrder(thread, sends.slice(2)));
    await intakeOn(bench).pushInOrder(inOrder(thread, sends.slice(0, 1)));
    const worker = soon();
    await until(async () => {
      await worker.mourn(() => engine);
      return (await bench.typesOf(thread)).length > 1;
    });
    expect(await found(thread)).toMatchObject([{ kind: 'missing-position' }]);
    expect(await bench.redis.exists(keysOf(thread).waiting, keysOf(thread).held)).toBe(0);
  });

  verifies('ING-20', 'that wait are bounded: a push that is too much is refused whole', async () => {
    const thread = freshThread();
    const hub = intakeOn(bench);
    const many = Array.from({ length: 4_000 }, (_, nth) => ({
      position: nth + 10,
      event: { type: 'CUSTOM', name: 'n', value: nth },
    }));
    expect(await hub.pushInOrder(inOrder(thread, many))).toMatchObject({ value: { buffered: 4_000 } });
    const more = many.map(({ event, position }) => ({ event, position: position + 4_000 }));
    const refused = await hub.pushInOrder(
      inOrder(thread, [...more, { position: 1, event: story(thread)[0]! }]),
    );
    expect(refused).toMatchObject({
      ok: false,
      refusal: { code: 'RATE_LIMITED', details: { events: 5_000 } },
    });
    expect(await bench.redis.zcard(keysOf(thread).waiting)).toBe(4_000);
    expect(await bench.entriesOf(thread)).toEqual([]);
  });

  verifies('ING-25', 'are refused whole when one is too far ahead, and leave no trace', async () => {
    const hub = intakeOn(bench);
    const thread = freshThread();
    const [began, opened] = story(thread);
    const nearest = { position: 1, event: began! };
    const reached = { position: 1_000_001, event: opened! };
    const beyond = { position: 1_000_002, event: opened! };
    const refused = { code: 'INVALID_INPUT', details: { pointer: '/1/position', expected: 1 } };
    const tooFar = await hub.pushInOrder(inOrder(thread, [nearest, beyond]));
    expect(tooFar).toMatchObject({ ok: false, refusal: refused });
    expect(await bench.redis.keys(`*${threadTag(thread)}*`)).toEqual([]);
    expect(await bench.redis.zscore('tt:pushed', thread)).toBeNull();
    const farthest = await hub.pushInOrder(inOrder(thread, [reached]));
    expect(farthest).toMatchObject({ ok: true, value: { buffered: 1 } });
    const next = await hub.pushInOrder(inOrder(thread, [nearest, beyond]));
    expect(next).toMatchObject({ ok: false, refusal: refused });
    expect(await bench.typesOf(thread)).toEqual([]);
    await hub.pushInOrder(inOrder(thread, [nearest]));
    const later = await hub.pushInOrder(inOrder(thread, [beyond]));
    expect(later).toMatchObject({ ok: true, value: { buffered: 1 } });
  });

  verifies(
    'ING-21',
    'at an illegal one: its sender is told the place, and what waited counts as of its run',
    async () => {
      const thread = freshThread();
      const hub = intakeOn(bench);
      const [started, ...rest] = story(thread);
      const sends = rest.map((event, nth) => ({ event, position: nth + 3 }));
      await hub.pushInOrder(inOrder(thread, sends));
      const nobody = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'nobody', delta: 'x' };
      const bad = await hub.pushInOrder(
        inOrder(thread, [
          { position: 2, event: nobody },
          { position: 1, event: started! },
        ]),
      );
      expect(bad).toMatchObject({
        ok: false,
        refusal: { code: 'INVALID_INPUT', details: { pointer: '/0/event', rule: 'not-open', accepted: 1 } },
      });
      expect(await bench.ledger.run(thread, 'r1')).toMatchObject({ code: 'hub/protocol-violation' });
      expect(await refusedEvents(bench.redis, thread)).toHaveLength(1 + rest.length);
      const again = await hub.pushInOrder(inOrder(thread, sends));
      expect(again).toMatchObject({ ok: true, value: { duplicates: rest.length } });
    },
  );

  verifies('ING-22', 'bind their thread at once, and no other agent adds to it', async () => {
    const thread = freshThread();
    const hub = intakeOn(bench);
    await hub.pushInOrder(inOrder(thread, [{ position: 2, event: story(thread)[1]! }]));
    expect(await bench.ledger.thread(thread)).toMatchObject({ agentId: 'engine', owner: 'engine' });
    const stranger = { ...inOrder(thread, [{ position: 1, event: story(thread)[0]! }]), tenant: 'elsewhere' };
    expect(await hub.pushInOrder(stranger)).toMatchObject({ ok: false, refusal: { code: 'NOT_FOUND' } });
    const unknown = freshThread();
    const first = inOrder(unknown, [{ position: 1, event: story(unknown)[1]! }]);
    expect(await hub.pushInOrder(first)).toMatchObject({ ok: false, refusal: { code: 'NOT_FOUND' } });
    expect(await bench.ledger.thread(unknown)).toBeUndefined();
    const counted = await hub.push(pushing(thread, [story(thread)[0]!]));
    expect(counted).toMatchObject({ ok: true, value: { accepted: 1 } });
  });

  verifies(
    'ING-18',
    'that are older than what is remembered are refused, and not lost in silence',
    async () => {
      const thread = freshThread();
      const hub = intakeOn(bench, { reorderWindowMs: 0 });
      const word = { type: 'CUSTOM', name: 'n', value: 1 };
      const holes = Array.from({ length: 1_001 }, (_, nth) => ({ position: 2 * nth + 3, event: word }));
      await hub.pushInOrder(inOrder(thread, [{ position: 1, event: story(thread)[0]! }, ...holes]));
      const late = await hub.pushInOrder(
        inOrder(
          thread,
          [2, 3, 4, 5].map((position) => ({ position, event: word })),
        ),
      );
      expect(late).toMatchObject({ ok: true, value: { accepted: 1, duplicates: 2, refused: 1 } });
      const rules = (await refusedEvents(bench.redis, thread)).map(({ rule }) => rule);
      expect(rules).toEqual(['position-forgotten']);
    },
  );

  const anyPush = fc.record({
    hub: fc.nat({ max: 2 }),
    positions: fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 12 }),
  });
  const mixture = fc.array(fc.array(anyPush, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 });
  const placeOf = (event: { readonly type: string; readonly value?: unknown }): number =>
    event.type === 'RUN_STARTED' ? 1 : Number(event.value);

  verifies(
    'ING-16',
    'are kept once each, as stored or as refused, in whatever mixture and however much is lost',
    () =>
      fc.assert(
        fc.asyncProperty(mixture, async (waves) => {
          const thread = freshThread();
          const hubs = [20, 40, 60].map((reorderWindowMs) => intakeOn(bench, { reorderWindowMs }));
          const sendAt = (position: number) => ({
            position,
            event:
              position === 1
                ? { type: 'RUN_STARTED', threadId: thread, runId: 'r1' }
                : { type: 'CUSTOM', name: 'n', value: position },
          });
          const send = ({ hub, positions }: { hub: number; positions: readonly number[] }) =>
            hubs[hub]!.pushInOrder(inOrder(thread, positions.map(sendAt)));
          await send({ hub: 0, positions: [2] });
          for (const wave of waves)
            for (const answer of await Promise.all(wave.map(send)))
              expect([true, 'INVALID_INPUT']).toContain(told(answer));
          await until(async () => (await bench.redis.exists(keysOf(thread).waiting)) === 0);
          const stored = (await bench.entriesOf(thread)).flatMap(({ event, source }) =>
            source === 'agent' ? [placeOf(event)] : [],
          );
          const refused = (await refusedEvents(bench.redis, thread)).map(({ text }) =>
            placeOf(JSON.parse(text) as { type: string }),
          );
          const sent = new Set([2, ...waves.flat().flatMap(({ positions }) => positions)]);
          expect(ascending([...stored, ...refused])).toEqual(ascending([...sent]));
          const late = (await found(thread)).filter(({ kind }) => kind === 'late-position');
          const lateOnes = new Set(late.map(({ message }) => Number(/\d+/u.exec(message)?.[0])));
          const inTime = stored.filter((position) => !lateOnes.has(position));
          expect(inTime).toEqual(ascending(inTime));
        }),
        { numRuns: 25, endOnFailure: true },
      ),
    120_000,
  );
});
