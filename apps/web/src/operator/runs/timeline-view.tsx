/** A run on one axis of time: names keep to the gutter, bars to time. */
import { useSurface } from '../../shared/surface-context.js';
import type { RunNode, Standing, VisibleNode } from '../core/run-tree.js';
import { labelPlace, layTimeline, type Bar, type TimelineRow } from '../core/timeline.js';
import { NodeName } from './node-name.js';
import { useShortTime } from './short-time.js';
import { useRunsText } from './texts.js';
import type { TreeState } from './use-tree-state.js';

const percent = (place: number): string => `${(place * 100).toFixed(3)}%`;
const spread = ({ from, to }: Bar) => ({ insetInlineStart: percent(from), width: percent(to - from) });
const workClass = ({ node: { kind, standing } }: TimelineRow): string => {
  if (standing === 'failed') return 'bar-t bad';
  if (standing === 'unanswered') return 'bar-t none';
  if (kind === 'tool') return 'bar-t tool';
  return standing === 'running' ? 'bar-t run' : 'bar-t';
};

const LABEL_TONES: Readonly<Partial<Record<Standing, string>>> = {
  waiting: 'wait',
  failed: 'bad',
  unanswered: 'bad',
};

const Label = ({ row }: { row: TimelineRow }) => {
  const t = useRunsText();
  const short = useShortTime();
  const { standing } = row.node;
  // Hatch and glyph say that it waits: how long is enough, and that always has room after its bar.
  const quiet = standing === 'done' || standing === 'running' || standing === 'waiting';
  const { side, at } = quiet ? { side: 'after', at: (row.wait ?? row.work)?.to ?? 0 } : labelPlace(row);
  const place = side === 'after' ? { insetInlineStart: percent(at) } : { insetInlineEnd: percent(1 - at) };
  return (
    <span className={`bar-l ${side} ${LABEL_TONES[standing] ?? ''}`} style={place}>
      {quiet ? short(row.ms) : `${t(`u.standing.${standing}`)}, ${short(row.ms)}`}
    </span>
  );
};

const Track = ({ row, ticks }: { row: TimelineRow; ticks: readonly { readonly at: number }[] }) => (
  <span className="tl-track">
    {ticks.map(({ at }) => (
      <i key={at} className="g" style={{ insetInlineStart: percent(at) }} />
    ))}
    {row.work && <i className={workClass(row)} style={spread(row.work)} />}
    {row.wait && <i className="bar-t wait" style={spread(row.wait)} />}
    <Label row={row} />
  </span>
);

interface ViewProps {
  readonly root: RunNode;
  readonly nodes: readonly VisibleNode[];
  readonly state: TreeState;
  readonly now: number;
}

export const TimelineView = ({ root, nodes, state, now }: ViewProps) => {
  const t = useRunsText();
  const short = useShortTime();
  const { formats } = useSurface();
  const { rows, ticks, clipped } = layTimeline(root, nodes, now);
  return (
    <div className="tl" tabIndex={0} role="region" aria-label={t('u.view.timeline')}>
      <div className="tl-row h">
        <span className="tl-name">{t('u.tree')}</span>
        <span className="tl-track">
          {ticks.map(({ ms, at }) => (
            <span key={at} style={{ insetInlineStart: percent(at) }}>
              {ms === 0 ? formats.number(0) : short(ms)}
            </span>
          ))}
        </span>
      </div>
      <ul>
        {rows.map((row) => (
          <li key={row.node.key} className={row.node.key === state.picked ? 'tl-row sel' : 'tl-row'}>
            <NodeName row={row} state={state} />
            <Track row={row} ticks={ticks} />
          </li>
        ))}
      </ul>
      {clipped && <p className="hint tl-note">{t('u.clipped')}</p>}
    </div>
  );
};
