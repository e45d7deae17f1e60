/** The alarm when a tool has its result though nobody let the call be made, by every way such a result can come. */
import type { ThreadId } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import { agentThat, asking, fresh, openBench, wholeRun, type Bench, type Script } from '../../test/bench.js';
import { freshThread, intakeOn, pushing } from '../../test/push-bench.js';
import { findingsOf } from '../adapters/findings.js';
import type { Closings } from '../core/ports.js';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

const call = (toolCallId: string): object[] => [
  { type: 'TOOL_CALL_START', toolCallId, toolCallName: 'transfer' },
  { type: 'TOOL_CALL_END', toolCallId },
];
const result = (toolCallId: string): object => ({
  type: 'TOOL_CALL_RESULT',
  messageId: `${toolCallId}-result`,
  toolCallId,
  content: 'done',
  role: 'tool',
});
const interrupt = (toolCallId: string) => ({
  type: 'interrupt',
  interrupts: [{ id: `${toolCallId}?`, reason: 'tool_call', toolCallId }],
});

/** The gates of some calls, shut; and what was asked of them. */
const shut = (...calls: string[]) => gatesOf(calls, { why: 'open' });
const gatesOf = (calls: readonly string[], how: { readonly why: string; readonly toldIn?: string }) => {
  const seen = { lookups: 0, raised: [] as string[] };
  const gates = calls.map((toolCallId) => [
    toolCallId,
    {
      taskId: `task of ${toolCallId}`,
      ...how,
      raise: (runId: string) => {
        seen.raised.push(`${toolCallId} in ${runId}`);
        return Promise.resolve([]);
      },
    },
  ]) as [
    string,
    Awaited<ReturnType<Closings['shutGates']>> extends ReadonlyMap<string, infer G> ? G : never,
  ][];
  const { closings } = bench.depsOf();
  const shutGates = (): ReturnType<Closings['shutGates']> => {
    seen.lookups += 1;
    return Promise.resolve(new Map(gates));
  };
  const news: string[] = [];
  const report = (event: string): void => void news.push(event);
  return { seen, news, deps: { closings: { ...closings, shutGates }, report } };
};

const kinds = async (thread: ThreadId): Promise<string[]> =>
  (await findingsOf(bench.redis, thread, { limit: 50 })).items.map(({ kind }) => kind);

const runThat = async (
  events: (ids: { threadId: string; runId: string }) => object[],
  gates = shut('c1'),
) => {
  const thread = fresh();
  const script: Script = async function* (input) {
    yield* events(input);
  };
  await bench.runToEnd(asking(thread, agentThat(script).agent), bench.runsOf(gates.deps));
  return { ...gates, thread };
};

describe('a call that was refused', () => {
  const told = (ids: object): object[] => [
    { type: 'RUN_STARTED', ...ids },
    ...call('c1'),
    { ...result('c1'), content: 'The reviewer said no.' },
    { type: 'RUN_FINISHED', ...ids },
  ];

  verifies('AUD-37', 'is no alarm where its agent reports the no, and one in every other run', async () => {
    const report = await runThat(told, gatesOf(['c1'], { why: 'rejected', toldIn: 'r1' }));
    expect(report.seen.raised).toEqual([]);
    expect(report.news).not.toContain('run.gate-bypass');
    expect(await kinds(report.thread)).not.toContain('gate-bypass');
    const later = await runThat(told, gatesOf(['c1'], { why: 'rejected', toldIn: 'r0' }));
    expect(later.seen.raised).toEqual(['c1 in r1']);
    expect(await kinds(later.thread)).toContain('gate-bypass');
  });
});

describe('a call that nobody let be made', () => {
  verifies('RUN-57', 'raises an alarm when its result comes, once, and the run goes on', async () => {
    const { seen, news, thread } = await runThat((ids) => [
      { type: 'RUN_STARTED', ...ids },
      ...call('c1'),
      result('c1'),
      ...call('c2'),
      result('c2'),
      { type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'x', role: 'tool', toolCallId: 'c1', content: 'done' }] },
      { type: 'RUN_FINISHED', ...ids },
    ]);
    expect(seen).toEqual({ lookups: 1, raised: ['c1 in r1'] });
    expect(news.filter((event) => event === 'run.gate-bypass')).toHaveLength(1);
    expect((await kinds(thread)).filter((kind) => kind === 'gate-bypass')).toHaveLength(1);
    expect((await bench.typesOf(thread)).at(-1)).toBe('RUN_FINISHED');
  });

  verifies(
    'RUN-57',
    'raises it when a snapshot tells the result, but not when it tells of a failure',
    async () => {
      const { seen } = await runThat(
        (ids) => [
          { type: 'RUN_STARTED', ...ids },
          {
            type: 'MESSAGES_SNAPSHOT',
            messages: [
              { id: 'x', role: 'tool', toolCallId: 'c1', content: 'done' },
              { id: 'y', role: 'tool', toolCallId: 'c2', content: '', error: 'denied' },
            ],
          },
          { type: 'RUN_FINISHED', ...ids },
        ],
        shut('c1', 'c2'),
      );
      expect(seen.raised).toEqual(['c1 in r1']);
    },
  );

  verifies(
    'RUN-57',
    'raises it when the result comes after the question, and the log refuses it',
    async () => {
      const { seen, thread } = await runThat((ids) => [
        { type: 'RUN_STARTED', ...ids },
        ...call('c1'),
        { type: 'RUN_FINISHED', ...ids, outcome: interrupt('c1') },
        result('c1'),
      ]);
      expect(seen.raised).toEqual(['c1 in r1']);
      expect(await kinds(thread)).toContain('gate-bypass');
      expect((await bench.typesOf(thread)).at(-1)).toBe('RUN_FINISHED');
    },
  );

  verifies('RUN-57', 'raises it when an agent that comes by itself pushes the result', async () => {
    const thread = freshThread();
    const gates = shut('c1');
    const ids = { threadId: thread, runId: 'p1' };
    const events = [
      { type: 'RUN_STARTED', ...ids },
      ...call('c1'),
      { type: 'RUN_FINISHED', ...ids, outcome: interrupt('c1') },
      result('c1'),
    ];
    const pushed = await intakeOn(bench, gates.deps).push(pushing(thread, events));
    expect(pushed.ok).toBe(false);
    expect(gates.seen.raised).toEqual(['c1 in p1']);
    expect(await kinds(thread)).toContain('gate-bypass');
  });

  verifies('RUN-57', 'costs a run without results nothing: no gate is looked at', async () => {
    const gates = shut('c1');
    const thread = fresh();
    await bench.runToEnd(asking(thread, agentThat(wholeRun).agent), bench.runsOf(gates.deps));
    expect(gates.seen).toEqual({ lookups: 0, raised: [] });
  });
});

describe('a question about a call that has its result', () => {
  verifies('RUN-58', 'is a finding, and the question is told that it came too late', async () => {
    const asked: (true | undefined)[] = [];
    const gates = shut();
    const { closings } = gates.deps;
    const openingFor: Closings['openingFor'] = (end) => {
      asked.push(...['c1', 'c2'].map((id) => end.toolCalls.get(id)?.isAnswered));
      return closings.openingFor(end);
    };
    const deps = { ...gates.deps, closings: { ...closings, openingFor } };
    const { thread } = await runThat(
      (ids) => [
        { type: 'RUN_STARTED', ...ids },
        ...call('c1'),
        result('c1'),
        ...call('c2'),
        {
          type: 'RUN_FINISHED',
          ...ids,
          outcome: { type: 'interrupt', interrupts: ['c1', 'c2'].flatMap((id) => interrupt(id).interrupts) },
        },
      ],
      { ...gates, deps },
    );
    expect(asked).toEqual([true, undefined]);
    const { items } = await findingsOf(bench.redis, thread, { limit: 9 });
    const found = items.filter(({ kind }) => kind === 'asked-afterwards');
    expect(found).toMatchObject([{ runId: 'r1', message: expect.stringContaining("'c1'") }]);
  });
});
