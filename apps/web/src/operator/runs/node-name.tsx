/** The name of one node in the gutter: how deep, what is below it, how it stands. */
import { Icon } from '../../shared/icon.js';
import type { VisibleNode } from '../core/run-tree.js';
import type { TreeState } from './use-tree-state.js';
import { StandingGlyph } from './standing-sign.js';
import { useRunsText } from './texts.js';

export const NodeName = ({ row, state }: { row: VisibleNode; state: TreeState }) => {
  const t = useRunsText();
  const { node, depth, shut } = row;
  const below = node.children.length > 0;
  return (
    <span className="tl-name" style={{ paddingInlineStart: `${12 + depth * 18}px` }}>
      <span className="tw">
        {below && (
          <button
            type="button"
            className="btn ghost tiny"
            aria-expanded={!shut}
            aria-label={t(shut ? 'u.open' : 'u.shut', { name: node.name })}
            onClick={() => state.toggle(node.key)}
          >
            <Icon name={shut ? 'right' : 'down'} className="sm" />
          </button>
        )}
      </span>
      <StandingGlyph node={node} />
      <button
        type="button"
        className={node.kind === 'tool' ? 'pick mono cut' : 'pick cut'}
        aria-pressed={state.picked === node.key}
        onClick={() => state.pick(state.picked === node.key ? undefined : node.key)}
      >
        {node.name}
      </button>
      {node.findings.length > 0 && (
        <span className="st flag">
          <Icon name="flag" />
          {node.findings.length}
          <span className="sr">{t('u.findings')}</span>
        </span>
      )}
    </span>
  );
};
