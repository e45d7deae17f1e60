/** A run as an outline: who worked for whom, how each stands, how long each took. */
import { tookOf, waitedOf, type RunNode, type VisibleNode } from '../core/run-tree.js';
import { NodeName } from './node-name.js';
import { useShortTime } from './short-time.js';
import { useRunsText } from './texts.js';
import type { TreeState } from './use-tree-state.js';

interface NestedViewProps {
  readonly nodes: readonly VisibleNode[];
  readonly state: TreeState;
  readonly now: number;
}

const sinceOf = (node: RunNode, now: number): number =>
  (node.standing === 'waiting' ? waitedOf(node, now) : undefined) ?? tookOf(node, now);

export const NestedView = ({ nodes, state, now }: NestedViewProps) => {
  const t = useRunsText();
  const short = useShortTime();
  return (
    <div className="tl" tabIndex={0} role="region" aria-label={t('u.view.nested')}>
      <ul className="outline">
        {nodes.map((row) => (
          <li key={row.node.key} className={row.node.key === state.picked ? 'tl-row sel' : 'tl-row'}>
            <NodeName row={row} state={state} />
            <span className={`out ${row.node.standing}`}>
              <span>
                {t(`u.standing.${row.node.standing}`)}
                {row.node.code && ` · ${row.node.code}`}
              </span>
              <span className="took">{short(sinceOf(row.node, now))}</span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
};
