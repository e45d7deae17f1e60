import { setTimeout as sleep } from 'node:timers/promises';
import type { ThreadId } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import { asking, damage, openBench, user, wholeRun, agentThat, type Bench } from '../../test/bench.js';
import { engine, freshThread, intakeOn, pushing } from '../../test/push-bench.js';
import { story } from '../../test/push-story.js';
import type { PushAgent } from '../core/ports.js';
import { VOUCH_MS } from '../core/push-hold.js';
import type { PushIntake } from './push-intake.js';
import type { RunRequest } from './begin-run.js';

const SPEC_MS = 60_000;

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

const offered = (thread: ThreadId, agent: PushAgent, over: object = {}): RunRequest => ({
  ...asking(thread, agentThat(wholeRun).agent, over),
  agent,
});

const offer = async (agent: PushAgent = engine, over: object = {}): Promise<ThreadId> => {
  const thread = freshThread();
  const begun = await bench.runsOf().begin({ ...offered(thread, agent, over), writable: [''] });
  if (!begun.ok || begun.value.kind !== 'admitted') throw new Error('not admitted');
  return thread;
};

const taking = (thread: ThreadId, socket = 's1', agent = engine) => ({
  ...{ thread, runId: 'r1', tenant: 'default', agent, socket },
});

/** Looks as the worker does, until a run has ended. */
const mourned = async (intake: PushIntake, thread: ThreadId): Promise<unknown> => {
  for (;;) {
    await intake.mourn(() => engine);
    const record = await bench.ledger.run(thread, 'r1');
    if (record?.status !== 'running') return record?.code ?? record?.status;
    await sleep(100);
  }
};

const quick = (timeouts: Partial<PushAgent['timeouts']>): PushAgent => ({
  ...engine,
  timeouts: { ...engine.timeouts, ...timeouts },
});

describe('a run on offer', () => {
  verifies('ING-9', 'is taken once: its input goes to the first who asks', async () => {
    const thread = await offer(engine, { state: { form: 1 } });
    const [one, two] = [intakeOn(bench).offers, intakeOn(bench).offers];
    expect(await one.open('default', 'engine')).toContainEqual({ thread, runId: 'r1' });
    const taken = await Promise.all([
      one.take(taking(thread)),
      two.take(taking(thread, 's2')),
      one.take(taking(thread, 's3')),
    ]);
    const won = taken.flatMap((answer) => (answer.ok ? [answer.value.input] : []));
    expect(won).toMatchObject([
      { threadId: thread, runId: 'r1', messages: [user('m1')], state: { form: 1 } },
    ]);
    expect(taken.flatMap((answer) => (answer.ok ? [] : [answer.refusal.code]))).toEqual([
      'CLAIM_LOST',
      'CLAIM_LOST',
    ]);
    expect(await two.take(taking(thread, 's1'))).toMatchObject({ refusal: { code: 'CLAIM_LOST' } });
    expect(await two.take({ ...taking(thread), tenant: 'other' })).toMatchObject({
      refusal: { code: 'NOT_FOUND' },
    });
    // What the client wrote into the state follows RUN_STARTED, through whichever hub that comes.
    await intakeOn(bench).push(pushing(thread, story(thread)));
    expect((await bench.typesOf(thread)).slice(0, 2)).toEqual(['RUN_STARTED', 'STATE_DELTA']);
    expect((await bench.entriesOf(thread))[0]?.event.input).toMatchObject({ messages: [user('m1')] });
  });

  verifies(
    'ING-10',
    'that nobody takes in time ends as its agent being away',
    async () => {
      const thread = await offer(quick({ connectMs: 300 }));
      expect(await mourned(intakeOn(bench), thread)).toBe('hub/agent-unavailable');
      expect(await bench.typesOf(thread)).toEqual(['RUN_STARTED', 'RUN_ERROR']);
      expect(await intakeOn(bench).offers.take(taking(thread))).toMatchObject({
        refusal: { code: 'CLAIM_LOST' },
      });
      expect(await bench.ledger.thread(thread)).toMatchObject({ status: 'failed' });
    },
    SPEC_MS,
  );

  verifies(
    'ING-11',
    'and taken lives while its socket vouches or its agent speaks, and is lost after that',
    async () => {
      const thread = await offer();
      const [here, there] = [intakeOn(bench), intakeOn(bench)];
      await here.offers.take(taking(thread));
      const events = story(thread, 'r1', 2);
      await here.push({ ...pushing(thread, events.slice(0, 2)), socket: 's1' });
      expect(await here.offers.vouch(thread, 's1')).toBe(true);
      // Another socket speaks for it now, on another hub.
      await there.push({ ...pushing(thread, events.slice(2, 3), { seq: 2 }), socket: 's2' });
      expect([await here.offers.vouch(thread, 's1'), await there.offers.vouch(thread, 's2')]).toEqual([
        false,
        true,
      ]);
      const lost = Date.now();
      expect(await mourned(here, thread)).toBe('hub/runner-lost');
      expect(Date.now() - lost).toBeGreaterThan(VOUCH_MS - 1_000);
      expect(await bench.typesOf(thread)).toEqual([
        ...['RUN_STARTED', 'TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'RUN_ERROR'],
      ]);
      const late = await there.push(pushing(thread, events.slice(3), { seq: 3 }));
      expect(late).toMatchObject({ ok: true, value: { accepted: 0, refused: events.length - 3 } });
    },
    SPEC_MS,
  );

  verifies(
    'ING-12',
    'and silent for too long ends by the time that went by',
    async () => {
      const first = await offer();
      const slow = quick({ firstEventMs: 300 });
      await intakeOn(bench).offers.take(taking(first, 's1', slow));
      const idle = await offer();
      const idling = quick({ idleMs: 300 });
      await intakeOn(bench).push({ ...pushing(idle, story(idle).slice(0, 2)), agent: idling });
      const total = await offer(quick({ totalMs: 1_500, connectMs: 1_000 }));
      const intake = intakeOn(bench);
      await intake.push({ ...pushing(total, story(total).slice(0, 2)), agent: idling });
      const until = Date.now() + 2_500;
      // A push without events keeps the run from idling, and from nothing else.
      const beating = (async () => {
        while (Date.now() < until) {
          await intake.push({ ...pushing(total, [], { seq: 2 }), agent: engine });
          await sleep(50);
        }
      })();
      expect(await mourned(intakeOn(bench), first)).toBe('hub/timeout-first-event');
      expect(await mourned(intakeOn(bench), idle)).toBe('hub/timeout-idle');
      expect(await mourned(intakeOn(bench), total)).toBe('hub/timeout-total');
      await beating;
    },
    SPEC_MS,
  );

  verifies(
    'RUN-29',
    'ends in its time though one before it cannot be ended',
    async () => {
      const never = quick({ connectMs: 200 });
      const mend = await damage(bench, await offer(never));
      expect(await mourned(intakeOn(bench), await offer(never))).toBe('hub/agent-unavailable');
      await mend();
    },
    SPEC_MS,
  );

  verifies(
    'ING-13',
    'and cancelled may end in its own words; what nobody took ends at once',
    async () => {
      const runs = bench.runsOf();
      const free = await offer();
      expect(await runs.cancel(free, 'r1')).toBe(true);
      expect(await mourned(intakeOn(bench), free)).toBe('hub/cancelled');
      const own = await offer();
      const intake = intakeOn(bench);
      await intake.offers.take(taking(own));
      await intake.push(pushing(own, story(own).slice(0, 1)));
      expect(await runs.cancel(own, 'r1')).toBe(true);
      await intake.mourn(() => engine);
      const finished = { type: 'RUN_FINISHED', threadId: own, runId: 'r1', outcome: { type: 'cancelled' } };
      await intake.push(pushing(own, [finished], { seq: 1 }));
      expect(await bench.ledger.run(own, 'r1')).toMatchObject({ status: 'cancelled' });
      expect(await bench.typesOf(own)).toEqual(['RUN_STARTED', 'RUN_FINISHED']);
    },
    SPEC_MS,
  );

  verifies(
    'ING-14',
    'as a resume that nobody took leaves no run behind',
    async () => {
      const thread = await offer();
      await intakeOn(bench).push(pushing(thread, story(thread)));
      const resume = {
        ...{ thread, agent: quick({ connectMs: 300 }), runId: 'r2', batchId: '', requester: 'amelia' },
        ...{ resume: [{ interruptId: 'i', status: 'cancelled' as const }], guards: [], riders: [] },
      };
      expect(await bench.runsOf().resume(resume)).toEqual({ kind: 'offered' });
      const before = await bench.typesOf(thread);
      while (await bench.ledger.run(thread, 'r2')) {
        await intakeOn(bench).mourn(() => engine);
        await sleep(100);
      }
      expect(await bench.typesOf(thread)).toEqual(before);
      expect(bench.settled.at(-1)).toMatchObject({ sent: false, code: 'hub/agent-unavailable' });
    },
    SPEC_MS,
  );

  verifies(
    'RUN-66',
    'as a resume of which an answer counts no more is given to nobody, and leaves no run behind at once',
    async () => {
      const thread = await offer();
      await intakeOn(bench).push(pushing(thread, story(thread)));
      const resume = {
        ...{ thread, agent: engine, runId: 'r2', batchId: '', requester: 'amelia' },
        ...{ resume: [{ interruptId: 'i', status: 'cancelled' as const }], guards: [], riders: [] },
      };
      expect(await bench.runsOf().resume(resume)).toEqual({ kind: 'offered' });
      const asked: string[] = [];
      const stands = (batchId: string): Promise<boolean> => {
        asked.push(batchId);
        return Promise.resolve(false);
      };
      const late = intakeOn(bench, { closings: { ...bench.depsOf().closings, stands } });
      expect(await late.offers.take({ ...taking(thread), runId: 'r2' })).toMatchObject({
        refusal: { code: 'CLAIM_LOST' },
      });
      expect(asked).toEqual(['']);
      while (await bench.ledger.run(thread, 'r2')) {
        await intakeOn(bench).mourn(() => engine);
        await sleep(100);
      }
      expect(bench.settled.at(-1)).toMatchObject({ sent: false, code: 'hub/agent-unavailable' });
    },
    SPEC_MS,
  );
});
