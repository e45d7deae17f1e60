/** Proves, on two hubs over one store, that whoever comes back gets what it missed: all of it, once, in order. */
import { setTimeout as pause } from 'node:timers/promises';
import { runStatusOf, SURFACES, type AguiEvent, type Surface } from '@triptych/protocol';
import { AMELIA, MO, Screen, until } from '@triptych/testkit';
import { Redis } from 'ioredis';
import { verifyWithReference } from '../../libs/protocol/test/reference-client.js';
import { verifies } from '../spec/verifies.js';
import { FieldStage, folded, gist, STAGE_MS } from './stage.js';
import { frame, type Answer } from './told-agent.js';
import { finished, saidIn, spoken, started, wholeRun } from './words.js';

let stage: FieldStage;
let hubs: readonly [string, string];
beforeAll(async () => {
  stage = await FieldStage.start();
  hubs = [stage.product.url, (await stage.product.anotherHub()).url];
}, STAGE_MS);
afterAll(() => stage.stop(), STAGE_MS);

const words = (count: number): readonly string[] => Array.from({ length: count }, (_, nth) => `${nth} `);
/** One event after another, with a moment between them. */
const dripping =
  (events: readonly AguiEvent[], everyMs: number): Answer =>
  async (response) => {
    for (const event of events) {
      response.write(frame(event));
      await pause(everyMs);
    }
    response.end();
  };
/** The rest comes when the test says so. */
const inTwoParts = (first: readonly AguiEvent[], second: readonly AguiEvent[]) => {
  let go = (): void => undefined;
  const told = new Promise<void>((resolve) => (go = resolve));
  const answer: Answer = async (response) => {
    response.write(first.map(frame).join(''));
    await told;
    response.end(second.map(frame).join(''));
  };
  return { answer, go: () => go() };
};

const operatorSeqs = (screen: Screen): number[] =>
  screen.frames.flatMap(({ event, data }) => (event === 'agui' ? (data['seqs'] as number[]) : []));
const epochOf = async (thread: string): Promise<string> =>
  (await stage.snapshot(thread, 'operator')).pos.split(':')[0] ?? '';
const events = (screen: Screen): number =>
  screen.frames.reduce(
    (sum, { event, data }) => sum + (event === 'agui' ? (data['events'] as []).length : 0),
    0,
  );

describe('what is replayed', () => {
  verifies('FAN-4', 'RR-01: a failed run hides none of the later ones', async () => {
    const thread = 'rr-01';
    const failing = [started(thread, 'run-2'), { type: 'RUN_ERROR', message: 'upstream failed' }];
    const last = wholeRun(thread, 'run-3', 'recovered');
    const seen = await stage.play(thread, [started(thread), finished(thread)], failing, last);
    for (const model of Object.values(seen.joined)) expect(saidIn(model)).toBe('recovered');
    const all = await stage.attach(thread, 'operator', { lastEventId: '00000000:0', url: hubs[1] });
    await until(() => all.frames.length === 9);
    expect(all.events().map(({ type }) => type)).toEqual(
      seen.log.map(({ event }) => (event as AguiEvent).type),
    );
    expect((await verifyWithReference(all.events())).error).toBeUndefined();
    await all.leave();
    const token = await stage.product.token(AMELIA);
    const { status } = await stage.product.json<{ status: string }>(`/v1/threads/${thread}/runs/run-2`, {
      token,
    });
    expect(status).toBe('failed');
  });

  verifies('FAN-6', 'RR-16: what happened while nobody was there is there', async () => {
    const thread = 'rr-16';
    await stage.open(thread);
    stage.agent.tell(thread, dripping(wholeRun(thread, 'run-1', ...words(20)), 10));
    const token = await stage.product.token(AMELIA);
    const away = new AbortController();
    const body = JSON.stringify({ threadId: thread, runId: 'run-1', messages: [], tools: [], context: [] });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    await fetch(`${hubs[0]}/v1/agents/told/run`, { method: 'POST', body, headers, signal: away.signal });
    away.abort();
    await until(
      async () => (await stage.log(thread)).at(-1)?.event !== undefined && isOver(await stage.log(thread)),
    );
    for (const url of hubs) {
      const screen = await stage.screen(thread, 'customer', { url });
      const model = await screen.until(thread, (now) => runStatusOf(now) === 'success');
      expect(saidIn(model)).toBe(words(20).join(''));
      await screen.close();
    }
  });

  verifies(
    'FAN-1',
    'RR-11, RR-10: from every position exactly what comes after it, on any hub',
    async () => {
      const thread = 'rr-11';
      await stage.open(thread);
      const empty = await Promise.all(SURFACES.map((surface) => stage.snapshot(thread, surface)));
      // More than ten events, so that numbers and texts sort differently.
      await stage.play(
        thread,
        wholeRun(thread, 'run-1', ...words(12)),
        wholeRun(thread, 'run-2', ...words(90)),
      );
      for (const [nth, surface] of SURFACES.entries())
        await fromEveryPosition(thread, surface, empty[nth]?.pos as string);
    },
    STAGE_MS,
  );

  verifies('FAN-6', 'RR-08: nothing twice, however often one comes back', async () => {
    const thread = 'rr-08';
    await stage.play(thread, wholeRun(thread, 'run-1', ...words(3)));
    const first = await stage.screen(thread, 'customer');
    await first.until(thread, (model) => saidIn(model) === words(3).join(''));
    const stood = first.positionOf(thread) as string;
    await first.close();
    stage.agent.tell(thread, wholeRun(thread, 'run-2', 'x'));
    await stage.run(thread, 'run-2');
    const back = await stage.screen(thread, 'customer', { from: stood, url: hubs[1] });
    const { pos } = await stage.snapshot(thread, 'customer');
    await until(() => back.positionOf(thread) === pos);
    expect(events(back)).toBe(5);
    await back.close();
    for (const url of hubs) {
      const again = await stage.screen(thread, 'customer', { from: pos, url });
      expect(await again.ask('subscribe', { threadId: thread })).toEqual({ pos });
      await again.ask('ping', {});
      expect([events(again), again.seen('snapshot').length, again.gaps]).toEqual([0, 0, []]);
      await again.close();
      const stream = await stage.attach(thread, 'customer', { lastEventId: pos, url });
      expect(stream.response.headers.get('hub-recovered')).toBe('replay');
      await pause(200);
      expect(stream.frames).toEqual([]);
      await stream.leave();
    }
  });

  verifies(
    'FAN-30',
    'RR-06: a reader that goes back to where it was before ends with every word once',
    async () => {
      const thread = 'rr-06';
      const [opening, ...rest] = wholeRun(thread, 'run-1', 'Hello ', 'wor', 'ld');
      const parts = inTwoParts([opening as AguiEvent, ...rest.slice(0, 3)], rest.slice(3));
      await stage.open(thread);
      stage.agent.tell(thread, parts.answer);
      const screen = await stage.screen(thread, 'operator');
      const running = stage.run(thread, 'run-1');
      await screen.until(thread, (model) => saidIn(model) === 'Hello wor');
      const epoch = await epochOf(thread);
      // It had rendered four, and says two: what is replayed continues what it had at two.
      const back = await Screen.open(hubs[1], 'operator', await stage.product.token(MO));
      await back.subscribe(thread, `${epoch}:2`);
      await until(() => events(back) === 2);
      parts.go();
      await running;
      await until(() => events(back) === 5);
      expect(operatorSeqs(back)).toEqual([3, 4, 5, 6, 7]);
      const had = wholeRun(thread, 'run-1').slice(0, 2);
      const shown = back.seen('agui').flatMap(({ data }) => data['events'] as AguiEvent[]);
      expect(saidIn(folded([...had, ...shown]))).toBe('Hello world');
      await Promise.all([screen.close(), back.close()]);
    },
  );
});

describe('what is live meanwhile', () => {
  verifies('FAN-6', 'RR-03: whoever comes while events flow misses none, and gets none twice', async () => {
    const thread = 'rr-03';
    await stage.play(thread, wholeRun(thread, 'run-1', ...words(20)));
    const epoch = await epochOf(thread);
    stage.agent.tell(thread, dripping(wholeRun(thread, 'run-2', ...words(150)), 2));
    const running = stage.run(thread, 'run-2');
    const comers: Promise<Screen>[] = [];
    let over = false;
    void running.finally(() => (over = true));
    for (let nth = 0; !over && nth < 120; nth += 1) {
      const options = { url: hubs[nth % 2] as string, ...(nth % 3 === 0 ? {} : { from: `${epoch}:10` }) };
      comers.push(stage.screen(thread, 'operator', options));
      await pause(4);
    }
    await running;
    const { pos } = await stage.snapshot(thread, 'operator');
    const head = Number(pos.split(':')[1]);
    expect(comers.length).toBeGreaterThan(10);
    for (const coming of comers) {
      const screen = await coming;
      await until(() => screen.positionOf(thread) === pos);
      expect(screen.gaps).toEqual([]);
      const seqs = operatorSeqs(screen);
      const first = screen.seen('snapshot').length > 0 ? (seqs[0] ?? head + 1) : 11;
      expect(seqs).toEqual(Array.from({ length: head + 1 - first }, (_, nth) => first + nth));
      await screen.close();
    }
  });

  verifies('FAN-18', 'RR-17: readers take nothing from each other, by whichever door and hub', async () => {
    const thread = 'rr-17';
    await stage.open(thread);
    const [one, two] = await Promise.all([
      stage.attach(thread, 'customer', { url: hubs[0], as: AMELIA }),
      stage.attach(thread, 'customer', { url: hubs[1], as: AMELIA }),
    ]);
    const screens = await Promise.all(hubs.map((url) => stage.screen(thread, 'operator', { url })));
    const told = wholeRun(thread, 'run-1', ...words(20));
    stage.agent.tell(thread, told);
    await stage.run(thread, 'run-1');
    await until(() =>
      [one, two].every(({ frames }) => frames.at(-1)?.data.includes('RUN_FINISHED') === true),
    );
    for (const stream of [one, two]) {
      expect(saidIn(folded(stream.events()))).toBe(words(20).join(''));
      await stream.leave();
    }
    for (const screen of screens) {
      await until(() => events(screen) === told.length);
      expect(operatorSeqs(screen)).toEqual(told.map((_, nth) => nth + 1));
      await screen.close();
    }
  });

  verifies('FAN-29', 'RR-07: who asks five times gets one copy', async () => {
    const thread = 'rr-07';
    await stage.play(thread, wholeRun(thread, 'run-1', 'before '));
    const screen = await Screen.open(hubs[1], 'customer', await stage.product.token(AMELIA));
    for (let nth = 0; nth < 5; nth += 1)
      screen.socket.send(JSON.stringify({ event: 'subscribe', id: `s${nth}`, data: { threadId: thread } }));
    await until(() => screen.seen('reply').length === 5 && screen.seen('snapshot').length > 0);
    stage.agent.tell(thread, wholeRun(thread, 'run-2', 'after'));
    await stage.run(thread, 'run-2');
    await until(() =>
      screen.texts.some((text) => text.includes('"runId":"run-2"') && text.includes('RUN_FINISHED')),
    );
    expect([screen.seen('snapshot').length, events(screen)]).toEqual([1, 5]);
    await screen.close();
  });
});

describe('positions that fit no more', () => {
  verifies(
    'FAN-5',
    'RR-13: a gap too large to tell is a whole view, never a silent hole',
    async () => {
      const thread = 'rr-13';
      await stage.play(thread, wholeRun(thread, 'run-1', ...words(3)));
      const before = await Promise.all(SURFACES.map((surface) => stage.snapshot(thread, surface)));
      stage.agent.tell(thread, wholeRun(thread, 'run-2', ...words(6_000)));
      await stage.run(thread, 'run-2');
      const end = await stage.snapshot(thread, 'operator');
      for (const [nth, surface] of SURFACES.entries()) {
        const stream = await stage.attach(thread, surface, {
          lastEventId: before[nth]?.pos as string,
          url: hubs[1],
        });
        expect(stream.response.headers.get('hub-recovered')).toBe('snapshot');
        const { pos } = await stage.snapshot(thread, surface);
        await until(() => stream.lastId() === pos);
        expect({ surface, ...gist(folded(stream.events())) }).toEqual({
          surface,
          ...gist(folded(end.events)),
        });
        await stream.leave();
      }
      const screen = await stage.screen(thread, 'operator', { from: before[2]?.pos as string, url: hubs[1] });
      await until(() => screen.positionOf(thread) === end.pos);
      expect(screen.seen('snapshot')[0]?.data['reason']).toBe('trimmed');
      expect(saidIn(screen.model(thread))).toBe(words(3).join('') + words(6_000).join(''));
      await screen.close();
    },
    STAGE_MS,
  );

  verifies(
    'LOG-26',
    'RR-13: nor is what a trimmed log has lost ever passed over',
    async () => {
      const thread = 'rr-13-trimmed';
      const trimming = await FieldStage.start({ LOG_KEEP: '50' });
      try {
        await trimming.play(thread, wholeRun(thread, 'run-1', ...words(40)));
        const before = await Promise.all(SURFACES.map((surface) => trimming.snapshot(thread, surface)));
        trimming.agent.tell(thread, wholeRun(thread, 'run-2', ...words(1_500)));
        await trimming.run(thread, 'run-2');
        await until(async () => (await trimming.firstSeq(thread)) > 50);
        // A hub that never saw the thread knows only what is kept.
        const { url } = await trimming.product.anotherHub();
        for (const [nth, surface] of SURFACES.entries()) {
          const lastEventId = before[nth]?.pos as string;
          const stream = await trimming.attach(thread, surface, { lastEventId, url });
          expect(stream.response.headers.get('hub-recovered')).toBe('snapshot');
          const { pos } = await trimming.snapshot(thread, surface);
          await until(() => stream.lastId() === pos);
          expect(saidIn(folded(stream.events()))).toBe(words(40).join('') + words(1_500).join(''));
          await stream.leave();
        }
      } finally {
        await trimming.stop();
      }
    },
    STAGE_MS,
  );

  verifies(
    'LOG-1',
    'RR-20: what is refused takes no number, and nobody takes its absence for a loss',
    async () => {
      const thread = 'rr-20';
      await stage.open(thread);
      const screens = await Promise.all(hubs.map((url) => stage.screen(thread, 'operator', { url })));
      const customer = await stage.screen(thread, 'customer', { url: hubs[1] });
      const orphan = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'nobody', delta: 'x' };
      stage.agent.tell(thread, [started(thread), ...spoken('m', 'a'), orphan, ...spoken('n', 'b')]);
      await stage.run(thread, 'run-1');
      const token = await stage.product.token(AMELIA);
      const nonsense = { threadId: thread, runId: '', messages: 'none' };
      expect((await stage.product.fetch('/v1/agents/told/run', { token, body: nonsense })).status).toBe(400);
      stage.agent.tell(thread, wholeRun(thread, 'run-2', 'c'));
      await stage.run(thread, 'run-2');
      for (const screen of screens) {
        await until(() => operatorSeqs(screen).length === 10);
        expect(operatorSeqs(screen)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        expect([screen.gaps, screen.seen('snapshot').length]).toEqual([[], 1]);
        await screen.close();
      }
      await customer.until(thread, (model) => saidIn(model) === 'ac');
      expect([customer.gaps, customer.seen('snapshot').length]).toEqual([[], 1]);
      await customer.close();
    },
  );

  verifies(
    'FAN-15',
    'RR-14: a position of a log that was lost names nothing in the next',
    async () => {
      const thread = 'rr-14';
      await stage.play(thread, wholeRun(thread, 'run-1', ...words(4)));
      const old = await Promise.all(SURFACES.map((surface) => stage.snapshot(thread, surface)));
      const watching = await stage.screen(thread, 'customer', { url: hubs[1] });
      await watching.until(thread, (model) => saidIn(model) !== '');
      const redis = new Redis(stage.product.redisUrl());
      await redis.flushall();
      await redis.quit();
      await stage.open(thread);
      stage.agent.tell(thread, wholeRun(thread, 'next-1', 'other '), wholeRun(thread, 'next-2', 'words'));
      await stage.run(thread, 'next-1');
      await stage.run(thread, 'next-2');
      for (const [nth, surface] of SURFACES.entries())
        for (const url of hubs) {
          const stream = await stage.attach(thread, surface, { lastEventId: old[nth]?.pos as string, url });
          const { pos } = await stage.snapshot(thread, surface);
          await until(() => stream.lastId() === pos);
          expect([surface, stream.response.headers.get('hub-recovered')]).toEqual([surface, 'snapshot']);
          expect(saidIn(folded(stream.events()))).toBe('other words');
          await stream.leave();
        }
      await watching.until(thread, (model) => saidIn(model) === 'other words');
      await watching.close();
    },
    STAGE_MS,
  );
});

const isOver = (log: readonly { readonly event: AguiEvent | string }[]): boolean =>
  log.some(({ event }) => typeof event !== 'string' && event.type === 'RUN_FINISHED');

const fromEveryPosition = async (thread: string, surface: Surface, empty: string): Promise<void> => {
  const { pos } = await stage.snapshot(thread, surface);
  const after = async (lastEventId: string, url: string) => {
    const stream = await stage.attach(thread, surface, { lastEventId, url });
    expect(stream.response.headers.get('hub-recovered')).toBe('replay');
    await until(() => lastEventId === pos || stream.lastId() === pos);
    await stream.leave();
    return stream;
  };
  const whole = await after(empty, hubs[0]);
  const ids = whole.frames.map(({ id }) => id as string);
  expect(new Set(ids).size).toBe(ids.length);
  if (surface === 'operator') expect(ids).toHaveLength(110);
  const end = gist(folded(whole.events()));
  for (const [nth, id] of ids.entries()) {
    const rest = await after(id, hubs[nth % 2] as string);
    const restIds = rest.frames.map((one) => one.id);
    if (surface === 'operator') expect(restIds).toEqual(ids.slice(nth + 1));
    expect(gist(folded([...whole.events().slice(0, nth + 1), ...rest.events()]))).toEqual(end);
  }
};
