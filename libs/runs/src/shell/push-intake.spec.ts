import { verifies } from '../../../../test/spec/verifies.js';
import { openBench, type Bench } from '../../test/bench.js';
import { freshThread, intakeOn, pushing } from '../../test/push-bench.js';
import { story } from '../../test/push-story.js';
import { keysOf } from '../adapters/run-keys.js';
import { refusedEvents } from '../adapters/refused-events.js';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

const types = (events: readonly { readonly type: string }[]): string[] => events.map(({ type }) => type);
const text = (delta: string) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'r1-m', delta });

describe('what an agent pushes', () => {
  verifies(
    'ING-1',
    'is stored as it came; a run begins with its RUN_STARTED and ends with its terminal',
    async () => {
      const thread = freshThread();
      const intake = intakeOn(bench);
      const pushed = await intake.push(pushing(thread, story(thread)));
      const entries = await bench.entriesOf(thread);
      const { epoch, head } = await bench.log.read(thread, 0, 1);
      expect(pushed).toEqual({
        ok: true,
        value: { accepted: 7, duplicates: 0, buffered: 0, pos: `${epoch}:${head}` },
      });
      expect(entries.map(({ event }) => event.type)).toEqual(types(story(thread)));
      expect(entries[2]?.json).toBe(JSON.stringify(story(thread)[2]));
      expect(await bench.ledger.run(thread, 'r1')).toMatchObject({ status: 'success', requester: 'engine' });
      expect(await bench.ledger.thread(thread)).toMatchObject({
        owner: 'engine',
        agentId: 'engine',
        status: 'idle',
      });
    },
  );

  verifies(
    'ING-2',
    'a repeat is harmless, an overlap is taken in part, a gap is told what is expected',
    async () => {
      const thread = freshThread();
      const intake = intakeOn(bench);
      const events = story(thread);
      await intake.push(pushing(thread, events.slice(0, 3)));
      const again = await intake.push(pushing(thread, events.slice(0, 3)));
      expect(again).toMatchObject({ ok: true, value: { accepted: 0, duplicates: 3 } });
      const overlap = await intake.push(pushing(thread, events.slice(1, 5), { seq: 1 }));
      expect(overlap).toMatchObject({ ok: true, value: { accepted: 2, duplicates: 2 } });
      const gap = await intake.push(pushing(thread, events.slice(6), { seq: 6 }));
      expect(gap).toMatchObject({ ok: false, refusal: { code: 'PRODUCER_GAP', details: { expected: 5 } } });
      await intake.push(pushing(thread, events.slice(5), { seq: 5 }));
      expect(await bench.typesOf(thread)).toEqual(types(events));
    },
  );

  verifies(
    'ING-2',
    'of many producers the latest are remembered',
    async () => {
      const thread = freshThread();
      const intake = intakeOn(bench);
      await intake.push(pushing(thread, story(thread).slice(0, 1)));
      const word = { type: 'CUSTOM', name: 'n', value: 1 };
      for (let nth = 0; nth < 320; nth += 1) await intake.push(pushing(thread, [word], { id: `p${nth}` }));
      const kept = await bench.redis.hkeys(keysOf(thread).push);
      expect(kept.filter((field) => field.startsWith('p:')).length).toBeLessThan(310);
      const again = await intake.push(pushing(thread, [word], { id: 'p319' }));
      expect(again).toMatchObject({ ok: true, value: { duplicates: 1 } });
    },
    60_000,
  );

  verifies(
    'ING-3',
    'of an older epoch is fenced before anything else; a newer one counts from 0',
    async () => {
      const thread = freshThread();
      const intake = intakeOn(bench);
      const events = story(thread);
      await intake.push(pushing(thread, events.slice(0, 3)));
      expect(await intake.push(pushing(thread, events.slice(3, 5), { epoch: 1 }))).toMatchObject({
        ok: true,
        value: { accepted: 2 },
      });
      const old = await intake.push(pushing(thread, ['no event at all'], { epoch: 0, seq: 999 }));
      expect(old).toMatchObject({ ok: false, refusal: { code: 'PRODUCER_FENCED' } });
      expect(await intake.push(pushing(thread, events.slice(5), { epoch: 1, seq: 2 }))).toMatchObject({
        ok: true,
      });
      expect(await bench.typesOf(thread)).toEqual(types(events));
      expect(await refusedEvents(bench.redis, thread)).toEqual([]);
    },
  );

  verifies(
    'ING-4',
    'that is illegal ends the run there; what follows of it is counted and kept',
    async () => {
      const thread = freshThread();
      const intake = intakeOn(bench);
      const [started, opened, ...rest] = story(thread);
      const bad = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'nobody', delta: 'x' };
      const pushed = await intake.push(pushing(thread, [started!, opened!, bad, text('later')]));
      expect(pushed).toMatchObject({
        ok: false,
        refusal: { code: 'INVALID_INPUT', details: { pointer: '/2', rule: 'not-open', accepted: 2 } },
      });
      const late = await intake.push(pushing(thread, rest, { seq: 4 }));
      expect(late).toMatchObject({ ok: true, value: { accepted: 0, refused: rest.length } });
      const again = await intake.push(pushing(thread, [started!, opened!, bad, text('later')]));
      expect(again).toMatchObject({ ok: true, value: { accepted: 0, duplicates: 4 } });
      expect((await bench.entriesOf(thread)).map(({ event }) => event.code ?? event.type)).toEqual([
        ...['RUN_STARTED', 'TEXT_MESSAGE_START', 'hub/protocol-violation'],
      ]);
      const kept = await refusedEvents(bench.redis, thread);
      expect(kept.map(({ rule }) => rule)).toEqual(['not-open', 'run-over', ...rest.map(() => 'run-over')]);
      const next = await intake.push(pushing(thread, story(thread, 'r2'), { seq: 4 + rest.length }));
      expect(next).toMatchObject({ ok: true, value: { accepted: 7 } });
    },
  );

  verifies('ING-5', 'goes into a free thread only; a run id is used once', async () => {
    const thread = freshThread();
    const intake = intakeOn(bench);
    await intake.push(pushing(thread, story(thread).slice(0, 2)));
    const other = await intake.push(pushing(thread, story(thread, 'r2'), { id: 'other' }));
    expect(other).toMatchObject({ ok: false, refusal: { code: 'THREAD_BUSY', details: { accepted: 0 } } });
    await intake.push(pushing(thread, story(thread).slice(2), { seq: 2 }));
    expect(await intake.push(pushing(thread, story(thread, 'r2'), { id: 'other' }))).toMatchObject({
      ok: true,
    });
    const reused = await intake.push(pushing(thread, story(thread, 'r1'), { id: 'third' }));
    expect(reused).toMatchObject({ ok: false, refusal: { details: { rule: 'run-id-reused', accepted: 0 } } });
    expect(await bench.entriesOf(thread)).toHaveLength(14);
  });

  verifies('ING-5', 'on a thread that nobody knows begins with RUN_STARTED, or finds nothing', async () => {
    const thread = freshThread();
    const lost = await intakeOn(bench).push(pushing(thread, [text('hi')]));
    expect(lost).toMatchObject({ ok: false, refusal: { code: 'NOT_FOUND' } });
    expect(await bench.ledger.thread(thread)).toBeUndefined();
    await bench.ledger.createThread({
      threadId: thread,
      tenant: 'default',
      owner: 'amelia',
      agentId: 'teller',
    });
    expect(await intakeOn(bench).push(pushing(thread, story(thread)))).toMatchObject({
      ok: false,
      refusal: { code: 'NOT_FOUND' },
    });
  });

  verifies('ING-6', 'through several hubs at once is judged in one order and stored once', async () => {
    const thread = freshThread();
    const hubs = [intakeOn(bench), intakeOn(bench), intakeOn(bench)];
    const events = story(thread, 'r1', 60);
    const cuts = Array.from({ length: 21 }, (_, nth) => nth * 3);
    const all = cuts.flatMap((seq) =>
      hubs.map((hub) => ({ hub, request: pushing(thread, events.slice(seq, seq + 7), { seq }) })),
    );
    // A producer that is refused a gap sends again what is expected.
    let open = all;
    for (let round = 0; open.length > 0 && round < 100; round += 1) {
      const answers = await Promise.all(open.map(({ hub, request }) => hub.push(request)));
      open = open.filter((_, nth) => answers[nth]?.ok === false);
    }
    expect(open).toEqual([]);
    const entries = await bench.entriesOf(thread);
    expect(entries.map(({ event }) => event)).toEqual([
      expect.objectContaining({ type: 'RUN_STARTED' }),
      ...events.slice(1),
    ]);
    expect(entries.map(({ seq }) => seq)).toEqual(events.map((_, nth) => nth + 1));
  });

  verifies('ING-6', 'in chunks goes on wherever the last hub left off', async () => {
    const thread = freshThread();
    const chunk = (over: object) => ({ type: 'TEXT_MESSAGE_CHUNK', ...over });
    const events = [
      { type: 'RUN_STARTED', threadId: thread, runId: 'r1' },
      chunk({ messageId: 'm', role: 'assistant', delta: 'a' }),
      chunk({ delta: 'b' }),
      chunk({ messageId: 'm', delta: 'c' }),
      { type: 'RUN_FINISHED', threadId: thread, runId: 'r1' },
    ];
    for (const [seq, event] of events.entries())
      expect(await intakeOn(bench).push(pushing(thread, [event], { seq }))).toMatchObject({
        ok: true,
        value: { accepted: 1 },
      });
    const log = (await bench.entriesOf(thread)).map(({ event }) => event.delta ?? event.type);
    expect(log).toEqual([
      'RUN_STARTED',
      'TEXT_MESSAGE_START',
      'a',
      'b',
      'c',
      'TEXT_MESSAGE_END',
      'RUN_FINISHED',
    ]);
  });

  verifies('ING-7', 'after the end: a late error counts, anything else is told its rule', async () => {
    const thread = freshThread();
    const intake = intakeOn(bench);
    await intake.push(pushing(thread, story(thread)));
    const stray = await intake.push(pushing(thread, [text('x')], { seq: 7 }));
    expect(stray).toMatchObject({ ok: false, refusal: { details: { rule: 'run-over', accepted: 0 } } });
    const late = await intake.push(pushing(thread, [{ type: 'RUN_ERROR', message: 'no' }], { seq: 8 }));
    expect(late).toMatchObject({ ok: true, value: { accepted: 1 } });
    expect((await bench.entriesOf(thread)).at(-1)?.event.type).toBe('RUN_ERROR');
    expect(await bench.ledger.run(thread, 'r1')).toMatchObject({ status: 'failed' });
    await intake.push(pushing(thread, story(thread, 'r2'), { id: 'q' }));
    const marks = await intake.push(
      pushing(thread, [{ type: 'RUN_ERROR', message: 'no' }], { id: 'q', seq: 7 }),
    );
    expect(marks).toMatchObject({ ok: true, value: { accepted: 1 } });
    expect((await bench.entriesOf(thread)).filter(({ event }) => event.type === 'RUN_ERROR')).toHaveLength(2);
  });
});
