import { setTimeout as sleep } from 'node:timers/promises';
import { modelBytes, StoreAway } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import {
  absent,
  agentThat,
  asking,
  damage,
  fresh,
  openBench,
  user,
  wholeRun,
  type Bench,
  type Script,
} from '../../test/bench.js';
import { LEASE_MS, RedisRunLedger } from '../adapters/redis-run-ledger.js';
import { refusedEvents } from '../adapters/refused-events.js';
import type { LogToWrite } from '../core/ports.js';
import { foldThread } from './fold-thread.js';
import { RENEW_MS } from './heartbeat.js';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

describe('a run', () => {
  verifies('RUN-7', 'is stored with the hub’s input; the producer’s echo is kept beside it', async () => {
    const thread = fresh();
    await bench.runToEnd(asking(thread, agentThat(wholeRun).agent));
    const [started] = await bench.entriesOf(thread);
    expect(started?.event.input).toEqual({
      threadId: thread,
      runId: 'r1',
      messages: [user('m1')],
      tools: [],
      context: [],
    });
    expect(started?.raw).toContain('"secret":1');
    expect(started?.json).not.toContain('secret');
  });

  verifies('RUN-17', 'sends the agent the hub’s own history, not a client’s version of it', async () => {
    const thread = fresh();
    const { agent, inputs } = agentThat(wholeRun);
    await bench.runToEnd(asking(thread, agent));
    const forged = { id: 'r1-a', role: 'assistant' as const, content: 'approved!' };
    await bench.runToEnd(
      asking(thread, agent, {
        runId: 'r2',
        messages: [user('m1'), forged, user('m2')],
        state: { paid: true },
      }),
    );
    expect(inputs[1]?.messages).toEqual([
      user('m1'),
      { id: 'r1-a', role: 'assistant', content: 'hi' },
      user('m2'),
    ]);
    expect(inputs[1]?.state).toEqual({});
    expect(inputs[1]?.protocolVersion).toBe('1.0');
  });

  verifies('RUN-8', 'frees the thread in the step that stores its end', async () => {
    const thread = fresh();
    const { agent } = agentThat(wholeRun);
    await bench.runToEnd(asking(thread, agent));
    const after = await bench.ledger.thread(thread);
    expect([after?.activeRunId, after?.status]).toEqual([undefined, 'idle']);
    expect((await bench.ledger.run(thread, 'r1'))?.status).toBe('success');
    expect((await bench.runsOf().begin(asking(thread, agent, { runId: 'r2' }))).ok).toBe(true);
  });

  verifies('RUN-1', 'keeps all others off its thread, from every instance', async () => {
    const thread = fresh();
    const { agent } = agentThat(wholeRun);
    const asked = Array.from({ length: 20 }, (_, nth) =>
      bench.runsOf().begin(asking(thread, agent, { runId: `r${nth}` })),
    );
    const answers = await Promise.all(asked);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    const codes = new Set(answers.map((answer) => (answer.ok ? 'ok' : answer.refusal.code)));
    expect(codes).toEqual(new Set(['ok', 'THREAD_BUSY']));
  });

  verifies('RUN-9', 'that stops without a terminal has failed, and says so', async () => {
    const thread = fresh();
    const cut: Script = async function* ({ threadId, runId }) {
      yield { type: 'RUN_STARTED', threadId, runId };
      yield { type: 'TEXT_MESSAGE_START', messageId: 'a', role: 'assistant' };
    };
    await bench.runToEnd(asking(thread, agentThat(cut).agent));
    const end = (await bench.entriesOf(thread)).at(-1);
    expect([end?.event.type, end?.event.code, end?.source]).toEqual([
      'RUN_ERROR',
      'hub/upstream-truncated',
      'hub',
    ]);
    const empty = fresh();
    await bench.runToEnd(asking(empty, agentThat(async function* () {}).agent));
    expect(await bench.typesOf(empty)).toEqual(['RUN_STARTED', 'RUN_ERROR']);
  });

  verifies('RUN-10', 'ends at an illegal event, which is kept with its rule', async () => {
    const thread = fresh();
    const illegal: Script = async function* ({ threadId, runId }) {
      yield { type: 'RUN_STARTED', threadId, runId };
      yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'never-opened', delta: 'x' };
      yield { type: 'RUN_FINISHED', threadId, runId };
    };
    await bench.runToEnd(asking(thread, agentThat(illegal).agent));
    expect(await bench.typesOf(thread)).toEqual(['RUN_STARTED', 'RUN_ERROR']);
    expect((await bench.entriesOf(thread)).at(-1)?.event.code).toBe('hub/protocol-violation');
    const [refused] = await refusedEvents(bench.redis, thread);
    expect(refused?.text).toContain('never-opened');
    expect(refused?.rule).not.toBe('');
  });

  verifies('RUN-11', 'whose agent cannot be reached has begun and failed', async () => {
    const thread = fresh();
    await bench.runToEnd(asking(thread, absent));
    expect(await bench.typesOf(thread)).toEqual(['RUN_STARTED', 'RUN_ERROR']);
    expect((await bench.entriesOf(thread)).at(-1)?.event.code).toBe('hub/agent-unavailable');
  });

  verifies('RUN-12', 'whose carrier went silent is mourned once, and its ghost writes nothing', async () => {
    const thread = fresh();
    let speak = (): void => undefined;
    const held: Script = async function* ({ threadId, runId }) {
      yield { type: 'RUN_STARTED', threadId, runId };
      await new Promise<void>((resolve) => (speak = resolve));
      yield { type: 'TEXT_MESSAGE_START', messageId: 'ghost', role: 'assistant' };
    };
    const { agent } = agentThat(held);
    const deaf = Object.assign(Object.create(bench.ledger) as RedisRunLedger, {
      renew: () => Promise.resolve({ is: 'kept' as const, extraMs: 0 }),
    });
    const carrying = bench.runToEnd(asking(thread, agent), bench.runsOf({ ledger: deaf }));
    while ((await bench.typesOf(thread)).length === 0) await sleep(10);
    while ((await bench.typesOf(thread)).length < 2) {
      await Promise.all([bench.runsOf().mourn(() => agent), bench.runsOf().mourn(() => agent)]);
      await sleep(100);
    }
    speak();
    expect(await carrying).toEqual({ kind: 'lost' });
    expect(await bench.typesOf(thread)).toEqual(['RUN_STARTED', 'RUN_ERROR']);
    expect((await bench.entriesOf(thread)).at(-1)?.event.code).toBe('hub/runner-lost');
  });

  verifies('RUN-29', 'is ended though one that was lost before it cannot be', async () => {
    const [damaged, sound] = [fresh(), fresh()];
    const { agent } = agentThat(wholeRun);
    for (const thread of [damaged, sound]) await bench.runsOf().begin(asking(thread, agent));
    const mend = await damage(bench, damaged);
    const reports: string[] = [];
    const runs = bench.runsOf({ report: (event) => void reports.push(event) });
    const isRunning = async (): Promise<boolean> =>
      (await bench.ledger.run(sound, 'r1'))?.status === 'running';
    while (!reports.includes('run.mourning-failed') || (await isRunning())) {
      await runs.mourn(() => agent);
      await sleep(100);
    }
    expect(await bench.typesOf(sound)).toEqual(['RUN_STARTED', 'RUN_ERROR']);
    await mend();
  });

  verifies('RUN-13', 'is cancelled from another instance', async () => {
    const thread = fresh();
    const endless: Script = async function* ({ threadId, runId }, signal) {
      yield { type: 'RUN_STARTED', threadId, runId };
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    };
    const carrying = bench.runToEnd(asking(thread, agentThat(endless).agent));
    while ((await bench.typesOf(thread)).length === 0) await sleep(10);
    expect(await bench.runsOf().cancel(thread, 'r1')).toBe(true);
    await carrying;
    expect((await bench.entriesOf(thread)).at(-1)?.event.code).toBe('hub/cancelled');
    expect(await bench.runsOf().cancel(thread, 'r1')).toBe(false);
  });

  verifies('RUN-14', 'that says after its end that it failed, has failed', async () => {
    const thread = fresh();
    const late: Script = async function* (input) {
      yield* wholeRun(input);
      while ((await bench.ledger.thread(thread))?.activeRunId !== undefined) await sleep(5);
      yield { type: 'RUN_ERROR', message: 'the ledger was not written', code: 'LATE' };
    };
    await bench.runToEnd(asking(thread, agentThat(late).agent));
    expect((await bench.typesOf(thread)).slice(-2)).toEqual(['RUN_FINISHED', 'RUN_ERROR']);
    expect(await bench.ledger.run(thread, 'r1')).toMatchObject({ status: 'failed', code: 'LATE' });
    expect((await bench.ledger.thread(thread))?.status).toBe('failed');
  });

  verifies('RUN-32', 'that fails after another has begun and ended is only marked as failed', async () => {
    const thread = fresh();
    const whatElse: Record<string, () => Promise<unknown>> = {
      'one that said much': () => bench.runToEnd(asking(thread, agentThat(wholeRun).agent, { runId: 'r2' })),
      'one whose agent was away': () => bench.runToEnd(asking(thread, absent, { runId: 'r3' })),
    };
    for (const [nth, happens] of Object.values(whatElse).entries()) {
      const runId = `late-${nth}`;
      const late: Script = async function* (input) {
        yield* wholeRun(input);
        while ((await bench.ledger.thread(thread))?.activeRunId !== undefined) await sleep(5);
        await happens();
        yield { type: 'RUN_ERROR', message: 'the ledger was not written', code: 'LATE' };
      };
      await bench.runToEnd(
        asking(thread, agentThat(late).agent, { runId }),
        bench.runsOf({ lingerMs: 20_000 }),
      );
      expect(await bench.ledger.run(thread, runId)).toMatchObject({ status: 'failed', code: 'LATE' });
    }
    const errors = (await bench.entriesOf(thread)).filter(({ event }) => event.type === 'RUN_ERROR');
    expect(errors.map(({ event }) => event.code)).toEqual(['hub/agent-unavailable']);
    expect(await bench.ledger.run(thread, 'r2')).toMatchObject({ status: 'success' });
  });

  verifies('PRO-30', 'that is followed by one of another thread has failed, and says so once', async () => {
    const thread = fresh();
    const straying: Script = async function* (input) {
      yield* wholeRun(input);
      while ((await bench.ledger.thread(thread))?.activeRunId !== undefined) await sleep(5);
      yield { type: 'RUN_STARTED', threadId: 'elsewhere', runId: 'r2' };
      yield { type: 'RUN_ERROR', message: 'nobody reads this' };
    };
    await bench.runToEnd(asking(thread, agentThat(straying).agent));
    expect((await bench.typesOf(thread)).slice(-2)).toEqual(['RUN_FINISHED', 'RUN_ERROR']);
    const code = 'hub/protocol-violation';
    expect((await bench.entriesOf(thread)).at(-1)).toMatchObject({ source: 'hub', event: { code } });
    expect(await bench.ledger.run(thread, 'r1')).toMatchObject({ status: 'failed', code });
    expect(await refusedEvents(bench.redis, thread)).toMatchObject([{ rule: 'wrong-thread' }]);
  });

  verifies('PRO-30', 'stays as it ended, whatever else its agent says', async () => {
    const thread = fresh();
    const talkative: Script = async function* (input) {
      yield* wholeRun(input);
      yield { type: 'TEXT_MESSAGE_START', messageId: 'too-late' };
      yield { type: 'RUN_ERROR', message: 'nobody reads this' };
    };
    await bench.runToEnd(asking(thread, agentThat(talkative).agent));
    expect((await bench.typesOf(thread)).at(-1)).toBe('RUN_FINISHED');
    expect(await bench.ledger.run(thread, 'r1')).toMatchObject({ status: 'success' });
    expect(await refusedEvents(bench.redis, thread)).toMatchObject([{ rule: 'run-over' }]);
  });

  verifies('PRO-30', 'that had failed before is not said to have failed again', async () => {
    const thread = fresh();
    const failing: Script = async function* ({ threadId, runId }) {
      yield { type: 'RUN_STARTED', threadId, runId };
      yield { type: 'RUN_ERROR', message: 'the ledger was not written' };
      yield { type: 'RUN_FINISHED', threadId, runId };
    };
    await bench.runToEnd(asking(thread, agentThat(failing).agent));
    expect(await bench.typesOf(thread)).toEqual(['RUN_STARTED', 'RUN_ERROR']);
    expect(await refusedEvents(bench.redis, thread)).toMatchObject([{ rule: 'run-over' }]);
  });

  verifies('PRO-31', 'whose agent failed before it began may begin after all', async () => {
    const thread = fresh();
    const restarted: Script = async function* (input) {
      yield { type: 'RUN_ERROR', message: 'cold' };
      yield* wholeRun(input);
    };
    const { agent } = agentThat(restarted);
    await bench.runToEnd(asking(thread, agent));
    const types = await bench.typesOf(thread);
    expect(types.filter((type) => type.startsWith('RUN_'))).toEqual([
      'RUN_STARTED',
      'RUN_ERROR',
      'RUN_STARTED',
      'RUN_FINISHED',
    ]);
    expect(await bench.ledger.run(thread, 'r1')).toMatchObject({ status: 'success', after: 0 });
    expect(await bench.runsOf().begin(asking(thread, agent))).toMatchObject({ value: { kind: 'attached' } });
  });

  verifies('PRO-32', 'that follows another and may not is kept as refused', async () => {
    const thread = fresh();
    await bench.runToEnd(asking(thread, agentThat(wholeRun).agent, { runId: 'r0' }));
    const twice: Script = async function* (input) {
      yield* wholeRun(input);
      yield* wholeRun({ ...input, runId: 'r0' });
    };
    await bench.runToEnd(asking(thread, agentThat(twice).agent));
    expect((await bench.typesOf(thread)).filter((type) => type === 'RUN_STARTED')).toHaveLength(2);
    expect(await refusedEvents(bench.redis, thread)).toMatchObject([{ rule: 'run-id-reused' }]);
  });

  verifies(
    'RUN-19',
    'may be followed by another of the same stream, held and ended like the first',
    async () => {
      const thread = fresh();
      const twice: Script = async function* (input) {
        yield* wholeRun(input);
        while ((await bench.ledger.thread(thread))?.activeRunId !== undefined) await sleep(5);
        for await (const event of wholeRun({ ...input, runId: 'r1-more' })) {
          yield event;
          if ('input' in event) await sleep(LEASE_MS + RENEW_MS);
        }
      };
      await bench.runToEnd(asking(thread, agentThat(twice).agent));
      expect((await bench.ledger.run(thread, 'r1-more'))?.status).toBe('success');
      expect((await bench.typesOf(thread)).filter((type) => type === 'RUN_FINISHED')).toHaveLength(2);
    },
  );

  verifies('RUN-19', 'and cancelled like the first', async () => {
    const thread = fresh();
    const twice: Script = async function* (input, signal) {
      yield* wholeRun(input);
      while ((await bench.ledger.thread(thread))?.activeRunId !== undefined) await sleep(5);
      yield { type: 'RUN_STARTED', threadId: thread, runId: 'r1-more' };
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    };
    const runs = bench.runsOf();
    const carrying = bench.runToEnd(asking(thread, agentThat(twice).agent), runs);
    while ((await bench.ledger.thread(thread))?.activeRunId !== 'r1-more') await sleep(5);
    expect(await runs.cancel(thread, 'r1')).toBe(false);
    expect(await runs.cancel(thread, 'r1-more')).toBe(true);
    await carrying;
    expect(await bench.ledger.run(thread, 'r1-more')).toMatchObject({
      status: 'cancelled',
      code: 'hub/cancelled',
    });
  });

  verifies('RUN-20', 'is read on for a while after its end, and no longer', async () => {
    const thread = fresh();
    let closed = false;
    const silentEnd: Script = async function* (input, signal) {
      yield* wholeRun(input);
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      closed = true;
    };
    await bench.runToEnd(asking(thread, agentThat(silentEnd).agent));
    expect(closed).toBe(true);
    expect((await bench.ledger.run(thread, 'r1'))?.status).toBe('success');
  });

  verifies('RUN-21', 'that outgrows what a thread may hold ends too large', async () => {
    const thread = fresh();
    const growing: Script = async function* ({ threadId, runId }) {
      yield { type: 'RUN_STARTED', threadId, runId };
      yield { type: 'TEXT_MESSAGE_START', messageId: 'a', role: 'assistant' };
      for (;;) yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'a', delta: 'x'.repeat(50_000) };
    };
    await bench.runToEnd(
      asking(thread, agentThat(growing).agent),
      bench.runsOf({ maxModelBytes: 1_000_000 }),
    );
    expect((await bench.entriesOf(thread)).at(-1)?.event.code).toBe('hub/too-large');
    expect(modelBytes((await foldThread(bench.log, thread)).model)).toBeLessThan(1_500_000);
  });

  verifies('RUN-22', 'outlives a store that is away for less than its grace', async () => {
    const thread = fresh();
    let away = 0;
    const flaky: LogToWrite = {
      read: (...asked) => bench.log.read(...asked),
      begin: (of) => bench.log.begin(of),
      append: async (request) => {
        const reply = await bench.log.append(request);
        // Every second answer is lost after it took effect: the worst a store can do.
        if ((away += 1) % 2 === 0) throw new StoreAway('cut');
        return reply;
      },
    };
    const { agent } = agentThat(wholeRun);
    const runs = bench.runsOf();
    const begun = await runs.begin(asking(thread, agent));
    if (!begun.ok || begun.value.kind !== 'admitted') throw new Error('not admitted');
    expect(await bench.runsOf({ log: flaky }).carry(begun.value, agent)).toEqual({
      kind: 'ended',
      ending: { status: 'success' },
    });
    expect(await bench.typesOf(thread)).toEqual([
      ...['RUN_STARTED', 'TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END', 'RUN_FINISHED'],
    ]);
  });

  it('is not cancelled by an agent that says so', async () => {
    const thread = fresh();
    const forging: Script = async function* ({ threadId, runId }) {
      yield { type: 'RUN_STARTED', threadId, runId };
      yield { type: 'RUN_ERROR', message: 'stopped', code: 'hub/cancelled' };
    };
    await bench.runToEnd(asking(thread, agentThat(forging).agent));
    const record = await bench.ledger.run(thread, 'r1');
    expect([record?.status, record?.code]).toEqual(['failed', undefined]);
  });
});
