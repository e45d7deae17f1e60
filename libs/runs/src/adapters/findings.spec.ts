import { verifies } from '../../../../test/spec/verifies.js';
import { agentThat, asking, fresh, openBench, wholeRun, type Bench, type Script } from '../../test/bench.js';
import { freshThread, intakeOn, pushing } from '../../test/push-bench.js';
import { story } from '../../test/push-story.js';
import { MAX_A_RUN } from '../core/findings.js';
import { findingRiders, findingsOf } from './findings.js';
import { keysOf } from './run-keys.js';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

const listed = async (thread: ReturnType<typeof fresh>) =>
  (await findingsOf(bench.redis, thread, { limit: 200 })).items;

const odd = (nth = 0) => ({ type: `FUTURE_${nth}` });

describe('what the judge warns of', () => {
  verifies('RUN-27', 'is kept for the operator, of a run that a hub carries', async () => {
    const thread = fresh();
    const script: Script = async function* (input) {
      for await (const event of wholeRun(input)) {
        if ('outcome' in event || !('delta' in event)) yield event;
        else yield* [odd(), event, odd(), odd()];
      }
      yield { type: 'AFTER_THE_END' };
    };
    await bench.runToEnd(asking(thread, agentThat(script).agent));
    const found = await listed(thread);
    const about = found.reduce((sum, { count = 1 }) => sum + count, 0);
    expect(about).toBe(4);
    expect(found.every(({ kind, runId, at }) => kind === 'warning' && runId === 'r1' && at > 0)).toBe(true);
    expect(found[0]?.message).toContain('AFTER_THE_END');
    expect(await bench.redis.hget(keysOf(thread).run, 'warned')).toBeNull();
  });

  verifies('RUN-27', 'is kept of a pushed run, once however often it is pushed', async () => {
    const thread = freshThread();
    const intake = intakeOn(bench);
    const [first, ...rest] = story(thread);
    const events = [first!, odd(), odd(), ...rest];
    await intake.push(pushing(thread, events));
    await intake.push(pushing(thread, events));
    expect(await listed(thread)).toMatchObject([{ kind: 'warning', runId: 'r1', count: 2 }]);
  });

  verifies('RUN-27', 'is kept of an event that nothing in the log stands for', async () => {
    const thread = fresh();
    const script: Script = async function* (input) {
      yield odd(7);
      yield* wholeRun(input);
    };
    await bench.runToEnd(asking(thread, agentThat(script).agent));
    expect((await listed(thread)).map(({ message }) => message)).toEqual([
      expect.stringContaining('FUTURE_7'),
    ]);
  });

  verifies('RUN-28', 'is bounded for a run, whichever hubs it is pushed to', async () => {
    const thread = freshThread();
    const events = [story(thread)[0]!, ...Array.from({ length: 90 }, (_, nth) => odd(nth))];
    for (const [nth, from] of [0, 30, 60].entries())
      await intakeOn(bench).push(
        pushing(thread, events.slice(from, nth === 2 ? undefined : from + 30), { seq: from }),
      );
    const found = await listed(thread);
    expect(found).toHaveLength(MAX_A_RUN);
    expect(found[0]?.message).toContain('more');
  });
});

describe('the findings of a thread', () => {
  verifies('HUB-53', 'come newest first, page by page, without a repeat or a hole', async () => {
    const thread = fresh();
    for (let nth = 0; nth < 7; nth += 1) {
      const riders = findingRiders(thread, [{ kind: 'warning', message: String(nth) }]);
      await bench.log.append({ thread, events: [], riders });
    }
    const seen: string[] = [];
    let page = await findingsOf(bench.redis, thread, { limit: 3 });
    for (
      ;
      page.next !== undefined;
      page = await findingsOf(bench.redis, thread, { limit: 3, cursor: page.next })
    )
      seen.push(...page.items.map(({ message }) => message));
    expect([...seen, ...page.items.map(({ message }) => message)]).toEqual('6543210'.split(''));
  });
});
