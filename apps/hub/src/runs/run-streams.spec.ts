import { Approvals, redisClaimIndex, RedisApprovalStore } from '@triptych/approvals';
import { pulseOn, type StreamLine } from '@triptych/fanout';
import { parseSettings, SigningKey, type Settings } from '@triptych/platform';
import { ok } from '@triptych/protocol';
import { settled, stand } from '../../../../libs/fanout/test/stand.js';
import { note } from '../../../../libs/fanout/test/story.js';
import {
  agentThat,
  asking,
  fresh,
  openBench,
  wholeRun,
  type Bench,
} from '../../../../libs/runs/test/bench.js';
import { verifies } from '../../../../test/spec/verifies.js';
import { POLICY } from '../../../../test/streams/see-as.js';
import { RunStreams } from './run-streams.js';
import { ThreadTurns } from './thread-turns.js';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

const settings = (): Settings => {
  const parsed = parseSettings({});
  if (!parsed.ok) throw new Error('no settings');
  return parsed.settings;
};

/** None is asked here. */
const approvals = async (): Promise<Approvals> =>
  new Approvals({
    store: new RedisApprovalStore(bench.redis),
    claims: redisClaimIndex(bench.redis),
    knocks: { dispatch: () => Promise.resolve(), wakeAt: () => Promise.resolve() },
    policy: () => POLICY,
    standing: () => Promise.resolve((actor) => ok(actor)),
    newId: () => 'id',
    signer: await SigningKey.open(bench.redis),
    frontendTtlMs: 1,
    report: () => undefined,
  });

/** A line that remembers what it was told, and whether it was ended. */
const keepingLine = () => {
  const heard: string[] = [];
  const closing: (() => void)[] = [];
  const state = { ended: false };
  const line: StreamLine = {
    get closed() {
      return state.ended;
    },
    onceClosed: (hear) => void closing.push(hear),
    open: () => undefined,
    send: (events) => void heard.push(...events.map(({ json }) => json)),
    clear: () => true,
    unsent: () => 0,
    taken: () => 0,
    end: () => {
      state.ended = true;
      for (const hear of closing.splice(0)) hear();
    },
  };
  return { line, heard, state };
};

describe('a connect', () => {
  verifies('HUB-60', 'ends 600 s after it began while its run goes on, and not before', async () => {
    const { rooms, time, log } = stand();
    const report = (what: string, error: unknown): never => {
      throw new Error(what, { cause: error });
    };
    const pulse = pulseOn({ timers: time, clock: time, report });
    const tools = { rooms, pulse, clock: time, timers: time, report };
    const runs = bench.runsOf();
    const streams = new RunStreams(tools, runs, new ThreadTurns(bench.ledger, await approvals()), settings());
    const request = asking(fresh(), agentThat(wholeRun).agent, { protocolVersion: '1.0' });
    expect((await runs.begin(request)).ok).toBe(true);
    log.write(request.thread, [note(0)]);
    const { line, heard, state } = keepingLine();
    await streams.connect({
      line,
      who: 'mo',
      thread: request.thread,
      surface: 'operator',
      input: request.input,
    });
    await settled();
    time.advance(599_000);
    log.write(request.thread, [note(1)]);
    await settled();
    time.advance(999);
    await settled();
    expect(state.ended).toBe(false);
    expect(heard).toHaveLength(2);
    time.advance(1);
    expect(state.ended).toBe(true);
    rooms.close();
    pulse.stop();
  });
});
