/** Proves that the tree of a run is told whole and the same in every view. */
import { verifies } from '../../../../../test/spec/verifies.js';
import { emptyBook, withStored, type LogBook, type Stored } from './log-book.js';
import { wordsOf } from './node-words.js';
import { runTree, visibleNodes, type RunNode, type ToldBranch } from './run-tree.js';
import { labelPlace, layTimeline } from './timeline.js';
import { rootRuns, runsIn, toolUses } from './tool-uses.js';

const came = (seq: number, event: Stored['event']): Stored => ({
  kind: 'stored',
  seq,
  at: seq * 1_000,
  source: 'agent',
  event,
});
const call = (seq: number, toolCallId: string, toolCallName: string, more: object = {}) =>
  came(seq, { type: 'TOOL_CALL_START', toolCallId, toolCallName, ...more });

const EVENTS: readonly Stored[] = [
  came(1, { type: 'RUN_STARTED', runId: 'r1' }),
  call(2, 'c1', 'searchFlights', { subagentRunId: 's1' }),
  came(3, { type: 'TOOL_CALL_RESULT', toolCallId: 'c1', content: '{}' }),
  came(4, { type: 'TEXT_MESSAGE_START', messageId: 'm', subagentRunId: 's1' }),
  came(5, { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'Friday ' }),
  came(6, { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'at 7.' }),
  call(7, 'c2', 'bookTrip'),
  call(8, 'c3', 'notify'),
  came(9, {
    type: 'RUN_FINISHED',
    runId: 'r1',
    outcome: { type: 'interrupt', interrupts: [{ id: 'i', toolCallId: 'c2' }] },
  }),
];
const asked = withStored(emptyBook('e'), EVENTS);
const resumed = withStored(asked, [
  came(20, { type: 'RUN_STARTED', runId: 'r2' }),
  came(21, { type: 'TOOL_CALL_RESULT', toolCallId: 'c2', content: '{}' }),
]);

const TOLD: ToldBranch = {
  runId: 'r1',
  status: 'interrupt',
  startedAt: 1_000,
  endedAt: 9_000,
  findings: [{ kind: 'warning', message: 'Odd.', at: 2_000 }],
  children: [
    {
      subagentRunId: 's1',
      name: 'flights',
      status: 'success',
      startedAt: 1_500,
      endedAt: 6_500,
      children: [],
    },
    {
      subagentRunId: 's2',
      name: 'weather',
      status: 'failed',
      startedAt: 1_600,
      endedAt: 2_000,
      children: [],
    },
  ],
};

const treeOf = (book: LogBook, wentOn: boolean): RunNode =>
  runTree(TOLD, { name: 'trip-planner', uses: toolUses(book), wentOn: () => wentOn });
const outline = (
  root: RunNode,
  shut: readonly string[] = [],
): readonly (readonly [string, string, number])[] =>
  visibleNodes(root, new Set(shut)).map(({ node, depth }) => [node.name, node.standing, depth] as const);

describe('the tree of a run', () => {
  verifies(
    'WEB-34',
    'holds runs, sub-agents and calls in the order they began, each with how it stands',
    () => {
      expect(outline(treeOf(asked, false))).toEqual([
        ['trip-planner', 'waiting', 0],
        ['flights', 'done', 1],
        ['searchFlights', 'done', 2],
        ['weather', 'failed', 1],
        ['bookTrip', 'waiting', 1],
        ['notify', 'unanswered', 1],
      ]);
      expect(treeOf(asked, false).findings).toHaveLength(1);
    },
  );

  verifies('WEB-34', 'nobody is awaited once the conversation went on', () => {
    const standings = new Map(outline(treeOf(resumed, true)).map(([name, standing]) => [name, standing]));
    expect([standings.get('trip-planner'), standings.get('bookTrip')]).toEqual(['done', 'done']);
    expect(toolUses(resumed).find(({ toolCallId }) => toolCallId === 'c2')).toMatchObject({
      runId: 'r1',
      waitsFrom: 9_000,
      endedAt: 21_000,
    });
  });

  verifies('WEB-34', 'what is shut hides what is below it, in every view alike', () => {
    const root = treeOf(asked, false);
    expect(outline(root, ['subagent/r1/s1']).map(([name]) => name)).not.toContain('searchFlights');
    const nodes = visibleNodes(root, new Set());
    const { rows } = layTimeline(root, nodes, 60_000);
    expect(rows.map(({ node }) => node)).toEqual(nodes.map(({ node }) => node));
  });

  verifies(
    'WEB-34',
    'bars stand in their time, waits begin where work ends, long ones are said to be cut',
    () => {
      const root = treeOf(asked, false);
      const nodes = visibleNodes(root, new Set());
      for (const now of [10_000, 86_400_000]) {
        const { rows, ticks, clipped } = layTimeline(root, nodes, now);
        expect(clipped).toBe(now > 20_000);
        for (const { work, wait, node } of rows) {
          const places = [work, wait].flatMap((bar) => (bar ? [bar.from, bar.to] : []));
          expect(places).toEqual(places.toSorted((a, b) => a - b));
          expect(places.every((place) => place >= 0 && place <= 1)).toBe(true);
          expect(wait === undefined).toBe(node.waitsFrom === undefined);
          if (wait) expect(wait.from).toBe(work?.to);
        }
        expect(ticks.length).toBeGreaterThan(2);
        expect(ticks.every(({ at }) => at >= 0 && at <= 1)).toBe(true);
      }
    },
  );

  verifies('WEB-34', 'words stand where there is room for them', () => {
    const bar = (from: number, to: number) => labelPlace({ work: { from, to } });
    expect([bar(0, 0.5), bar(0.6, 1), bar(0, 1)]).toEqual([
      { side: 'after', at: 0.5 },
      { side: 'before', at: 0.6 },
      { side: 'inside', at: 1 },
    ]);
  });

  verifies('WEB-34', 'each tells what it said itself', () => {
    expect(wordsOf(asked, { runId: 'r1', subagentRunId: 's1' })).toEqual(['Friday at 7.']);
    expect(wordsOf(asked, { runId: 'r1' })).toEqual([]);
  });

  verifies('WEB-34', 'runs that another one began are found in its tree, not beside it', () => {
    const book = withStored(resumed, [came(30, { type: 'RUN_STARTED', runId: 'r3', parentRunId: 'r1' })]);
    expect(rootRuns(runsIn(book)).map(({ runId }) => runId)).toEqual(['r1', 'r2']);
  });
});
