/** The run tree of a thread in three views of the same rows: nested, timeline, split. */
import { useEffect, useRef } from 'react';
import { Icon, type IconName } from '../../shared/icon.js';
import { useSurface } from '../../shared/surface-context.js';
import { goTo, useUrlParam } from '../../shared/url-state.js';
import { useNow } from '../../shared/use-now.js';
import type { LogBook } from '../core/log-book.js';
import { visibleNodes, type RunNode } from '../core/run-tree.js';
import { NestedView } from './nested-view.js';
import { NodeDetails } from './node-details.js';
import { useRunsText } from './texts.js';
import { TimelineView } from './timeline-view.js';
import { useRunTree, type RunTreeTools } from './use-run-tree.js';
import { useTreeState, type TreeState } from './use-tree-state.js';

const SECOND = 1_000;
const VIEWS = ['timeline', 'nested', 'split'] as const;
type View = (typeof VIEWS)[number];
const ICONS: Readonly<Record<View, IconName>> = { timeline: 'timeline', nested: 'list', split: 'columns' };

const viewNamed = (name: string | undefined): View => VIEWS.find((view) => view === name) ?? 'timeline';

interface ToolsProps extends RunTreeTools {
  readonly view: View;
  readonly past: boolean;
  readonly onEarlier: (() => void) | undefined;
}

const Tools = ({ view, past, runs, picked, root, onEarlier }: ToolsProps) => {
  const t = useRunsText();
  const { formats } = useSurface();
  const found = root?.findings.length ?? 0;
  return (
    <div className="op-tools">
      <span className="seg" role="group" aria-label={t('u.view')}>
        {VIEWS.map((each) => (
          <button
            type="button"
            key={each}
            className={each === view ? 'on' : undefined}
            aria-pressed={each === view}
            onClick={() => goTo({ tree: each === VIEWS[0] ? undefined : each }, 'replace')}
          >
            <Icon name={ICONS[each]} />
            {t(`u.view.${each}`)}
          </button>
        ))}
      </span>
      <span className="grow" />
      {past && <span className="c3 t-12">{t('u.now')}</span>}
      {onEarlier && runs.length > 0 && (
        <button type="button" className="btn link t-12" onClick={onEarlier}>
          {t('u.earlier')}
        </button>
      )}
      {found > 0 && (
        <span className="st wait">
          <Icon name="flag" />
          {t('u.findings.n', { n: found })}
        </span>
      )}
      <label className="runpick">
        <span className="c3 t-12">{t('u.pick')}</span>
        <span className="choice">
          <select
            value={picked}
            onChange={(event) => goTo({ run: event.target.value, node: undefined }, 'replace')}
          >
            {runs.map(({ runId, at }) => (
              <option key={runId} value={runId}>
                {t('u.run', { when: formats.timeExact(at).slice(0, 8), id: runId })}
              </option>
            ))}
          </select>
          <Icon name="down" className="sm" />
        </span>
      </label>
    </div>
  );
};

interface TreeProps {
  readonly root: RunNode;
  readonly view: View;
  readonly state: TreeState;
  readonly book: LogBook;
}

const Tree = ({ root, view, state, book }: TreeProps) => {
  const now = useNow(SECOND, root.standing === 'running' || root.standing === 'waiting');
  const nodes = visibleNodes(root, state.shut);
  const row = nodes.find(({ node }) => node.key === state.picked);
  const shown = row ?? (view === 'split' ? nodes[0] : undefined);
  const details = shown && (
    <aside className="op-insp" aria-label={shown.node.name}>
      <NodeDetails
        {...{ root, book, now }}
        row={shown}
        {...(view === 'split' ? {} : { onClose: () => state.pick(undefined) })}
      />
    </aside>
  );
  return (
    <div className={`runs ${shown ? view : ''}`}>
      {view === 'timeline' ? (
        <TimelineView {...{ root, nodes, state, now }} />
      ) : (
        <NestedView {...{ nodes, state, now }} />
      )}
      {details}
    </div>
  );
};

/** A run is known by its beginning: what is loaded grows back to the last one. */
const MAX_PAGES_BACK = 25;

const useBegun = (runs: number, { book, onEarlier }: Pick<RunsLookProps, 'book' | 'onEarlier'>): void => {
  const pages = useRef(0);
  const first = book.stored[0]?.seq;
  const earlier = useRef(onEarlier);
  earlier.current = onEarlier;
  useEffect(() => {
    if (runs > 0 || first === undefined || pages.current === MAX_PAGES_BACK) return;
    pages.current += 1;
    earlier.current?.();
  }, [runs, first]);
};

interface RunsLookProps {
  readonly threadId: string;
  readonly agentId: string;
  readonly book: LogBook;
  /** The past is looked at elsewhere: a run is told only as it is now. */
  readonly past: boolean;
  /** Undefined when the beginning is here. */
  readonly onEarlier: (() => void) | undefined;
}

export const RunsLook = ({ threadId, agentId, book, past, onEarlier }: RunsLookProps) => {
  const t = useRunsText();
  const view = viewNamed(useUrlParam('tree'));
  const tree = useRunTree(threadId, agentId, book);
  const state = useTreeState();
  const { root, runs, gone } = tree;
  useBegun(runs.length, { book, onEarlier });
  return (
    <>
      <Tools {...{ view, past, onEarlier }} {...tree} />
      {root && !gone && <Tree {...{ root, view, state, book }} />}
      {gone && (
        <div className="emptyx">
          <Icon name="history" />
          <b>{t('u.gone')}</b>
        </div>
      )}
      {runs.length === 0 && onEarlier === undefined && (
        <div className="emptyx">
          <Icon name="branch" />
          <b>{t('u.none')}</b>
        </div>
      )}
    </>
  );
};
