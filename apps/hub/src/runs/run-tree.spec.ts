import type { AguiEvent } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import { RunTree } from './run-tree.js';

const started = (runId: string, parentRunId?: string): AguiEvent => ({
  type: 'RUN_STARTED',
  ...{ threadId: 't', runId },
  ...(parentRunId === undefined ? {} : { parentRunId }),
});
const sub = (id: string, parent?: string): AguiEvent => ({
  type: 'SUBAGENT_STARTED',
  ...{ subagentRunId: id, name: `agent ${id}` },
  ...(parent === undefined ? {} : { parentSubagentRunId: parent }),
});
const done = (id: string, outcome?: object): AguiEvent => ({
  type: 'SUBAGENT_FINISHED',
  subagentRunId: id,
  ...(outcome ? { outcome } : {}),
});
const grown = (...events: readonly AguiEvent[]) => {
  const tree = new RunTree('r');
  for (const [at, event] of events.entries()) tree.take([event], at);
  return tree.root;
};

describe('the tree of a run', () => {
  verifies('HUB-61', 'holds its subagents under those they work for, with their times', () => {
    const { children } = grown(started('r'), sub('a'), sub('b', 'a'), done('b'), sub('c', 'gone'));
    expect(children).toMatchObject([
      {
        ...{ kind: 'subagent', subagentRunId: 'a', status: 'running', startedAt: 1 },
        children: [{ subagentRunId: 'b', name: 'agent b', status: 'success', startedAt: 2, endedAt: 3 }],
      },
      { subagentRunId: 'c' },
    ]);
  });

  verifies('HUB-61', 'says how each ended', () => {
    const failed = { type: 'SUBAGENT_ERROR', subagentRunId: 'b', message: 'x' };
    const suspended = done('a', { type: 'suspended' });
    const { children } = grown(started('r'), sub('a'), sub('b'), sub('c'), suspended, failed, {
      ...{ type: 'RUN_ERROR', message: 'x' },
    });
    expect(children.map((child) => child.kind === 'subagent' && [child.status, child.endedAt])).toEqual([
      ['suspended', 4],
      ['failed', 5],
      ['failed', 6],
    ]);
  });

  verifies('HUB-61', 'holds the runs begun for it, and none that was not', () => {
    const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'x' };
    const root = grown(
      ...[started('r', 'before'), finished, started('other'), sub('z'), done('z'), finished],
      ...[started('child', 'r'), sub('a'), done('a'), finished, started('grandchild', 'child')],
    );
    expect(root).toMatchObject({
      parentRunId: 'before',
      children: [
        { runId: 'child', children: [{ subagentRunId: 'a' }, { runId: 'grandchild', children: [] }] },
      ],
    });
    expect(root.children).toHaveLength(1);
  });

  verifies('HUB-61', 'has a bound', () => {
    const many = Array.from({ length: 700 }, (_, n) => sub(String(n)));
    expect(grown(started('r'), ...many).children).toHaveLength(499);
  });
});
