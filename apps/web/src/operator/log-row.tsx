/** One row of the log. */
import { memo } from 'react';
import { Icon } from '../shared/icon.js';
import { useSurface } from '../shared/surface-context.js';
import { summaryOf } from './core/event-summary.js';
import { familyOf, typeOf } from './core/families.js';
import { foldSummary, spanOf } from './core/fold-rows.js';
import type { Stored } from './core/log-book.js';
import type { FoldRow, Row } from './core/rows.js';
import { SeenMark } from './seen-mark.js';
import { useConsoleText } from './texts.js';

interface LogRowProps {
  readonly row: Row;
  readonly index: number;
  readonly selected: boolean;
  readonly onPick: (row: Row) => void;
  readonly onGap: (from: number, to: number) => void;
}

const after = (ms: number | undefined): string =>
  ms === undefined ? '' : `+${(ms / 1_000).toFixed(ms >= 100_000 ? 1 : 3)}`;

const EventRow = ({
  row,
  index,
  selected,
  onPick,
}: Omit<LogRowProps, 'onGap'> & { row: Extract<Row, { kind: 'event' }> }) => {
  const t = useConsoleText();
  const { formats } = useSurface();
  const { entry } = row;
  return (
    <div
      className={`lr ${familyOf(entry)}${selected ? ' sel' : ''}`}
      role="row"
      id={`row-${row.key}`}
      aria-rowindex={index + 2}
      aria-selected={selected}
      onClick={() => onPick(row)}
    >
      <span className="q" role="gridcell">
        {entry.kind === 'stored' ? formats.number(entry.seq) : t('o.refused.row')}
      </span>
      <span className="tm" role="gridcell">
        {formats.timeExact(entry.at)}
      </span>
      <span className="dt" role="gridcell">
        {after(row.after)}
      </span>
      <span className="src" role="gridcell">
        {entry.kind === 'stored' ? entry.source : ''}
      </span>
      <span className="ty" role="gridcell">
        {typeOf(entry)}
      </span>
      <span className="sm" role="gridcell">
        {summaryOf(entry)}
      </span>
      <span className="sn" role="gridcell">
        <SeenMark seen={entry.kind === 'stored' ? entry.seen : undefined} />
      </span>
    </div>
  );
};

const FoldedRow = ({ row, index, selected, onPick }: Omit<LogRowProps, 'onGap'> & { row: FoldRow }) => {
  const { formats } = useSurface();
  const { type, text, seen } = foldSummary(row);
  const first = row.entries[0] as Stored;
  const { from, to } = spanOf(row);
  return (
    <div
      className={`lr fold ${familyOf(first)}${selected ? ' sel' : ''}`}
      role="row"
      id={`row-${row.key}`}
      aria-rowindex={index + 2}
      aria-selected={selected}
      onClick={() => onPick(row)}
    >
      <span className="q" role="gridcell" aria-expanded={row.isOpen}>
        <Icon name={row.isOpen ? 'down' : 'right'} className="sm" />
        {formats.number(from)}
      </span>
      <span className="tm" role="gridcell">
        {formats.timeExact(first.at)}
      </span>
      <span className="dt" role="gridcell">
        {after(row.after)}
      </span>
      <span className="src" role="gridcell">
        {first.source}
      </span>
      <span className="ty" role="gridcell">
        {type}
      </span>
      <span className="sm" role="gridcell">
        <b>×{formats.number(row.entries.length)}</b> · {formats.number(from)}–{formats.number(to)} · “{text}”
      </span>
      <span className="sn" role="gridcell">
        <SeenMark seen={seen} />
      </span>
    </div>
  );
};

export const LogRow = memo((props: LogRowProps) => {
  const t = useConsoleText();
  const { formats } = useSurface();
  const { row, index } = props;
  if (row.kind === 'event') return <EventRow {...props} row={row} />;
  if (row.kind === 'fold') return <FoldedRow {...props} row={row} />;
  const rowProps = { className: `gap ${row.kind}`, role: 'row', 'aria-rowindex': index + 2 } as const;
  if (row.kind === 'people') {
    return (
      <div {...rowProps}>
        <span role="gridcell">
          <Icon name="hourglass" />
          {t('o.people', { t: formats.span(row.ms) })}
        </span>
        <span role="gridcell" className="mono">
          {t('o.people.then', { run: row.runId })}
        </span>
      </div>
    );
  }
  if (row.kind === 'run') {
    return (
      <div {...rowProps}>
        <span role="gridcell">{t('o.run', { run: row.runId })}</span>
      </div>
    );
  }
  return (
    <div {...rowProps}>
      <span role="gridcell">
        <Icon name="alert" />
        {t('o.gap', { from: formats.number(row.from), to: formats.number(row.to) })}
      </span>
      <span role="gridcell">
        <button type="button" className="btn link" onClick={() => props.onGap(row.from, row.to)}>
          {t('o.gap.load')}
        </button>
      </span>
    </div>
  );
});
