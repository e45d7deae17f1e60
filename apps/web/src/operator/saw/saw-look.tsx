/** What the customer and the reviewer were shown of each event, beside what came. */
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Icon } from '../../shared/icon.js';
import { useSurface } from '../../shared/surface-context.js';
import { useSharedText } from '../../shared/use-shared-text.js';
import { useUrlParam } from '../../shared/url-state.js';
import { CopyButton } from '../copy-button.js';
import { differs, LESSER, sawRows, type SawEntry, type SawRow } from '../core/saw-rows.js';
import { sawReport } from '../core/saw-report.js';
import { SeenMark } from '../seen-mark.js';
import { useConsoleText } from '../texts.js';
import { SawRowView } from './saw-row-view.js';
import { useSawText } from './texts.js';
import { useSaw } from './use-saw.js';

const countOf = (entries: readonly SawEntry[], surface: (typeof LESSER)[number]): number =>
  entries.filter(({ shown }) => shown[surface].length > 0).length;

const Head = ({ entries }: { entries: readonly SawEntry[] }) => {
  const t = useConsoleText();
  const s = useSawText();
  const { formats } = useSurface();
  return (
    <div className="pj-row h" role="row">
      <div className="sq" role="columnheader">
        <span className="sr">{t('o.col.event')}</span>
      </div>
      <div role="columnheader">
        <b>{t('o.surface.operator')}</b>
        <small>{s('s.shown', { n: formats.number(entries.length) })}</small>
      </div>
      {LESSER.map((surface) => (
        <div key={surface} role="columnheader">
          <b>{t(`o.surface.${surface}`)}</b>
          <small>{s('s.shown', { n: formats.number(countOf(entries, surface)) })}</small>
        </div>
      ))}
    </div>
  );
};

interface ToolsProps {
  readonly rows: readonly SawRow[];
  readonly only: boolean;
  readonly onOnly: (only: boolean) => void;
}

const Tools = ({ rows, only, onOnly }: ToolsProps) => {
  const s = useSawText();
  return (
    <div className="op-tools">
      <span className="seg" role="group" aria-label={s('s.show')}>
        {([false, true] as const).map((which) => (
          <button
            type="button"
            key={String(which)}
            className={only === which ? 'on' : undefined}
            aria-pressed={only === which}
            onClick={() => onOnly(which)}
          >
            {s(which ? 's.differences' : 's.all')}
          </button>
        ))}
      </span>
      <span className="c3 t-12 wide">{s('s.note')}</span>
      <span className="grow" />
      <CopyButton text={() => sawReport(rows, s('s.report.hidden'))} label={s('s.copy')} />
    </div>
  );
};

const NEAR_END_PX = 40;

/** Opens at the picked event, else at the end, and keeps to the end while the reader is there. */
const usePlaced = (picked: number, rows: readonly SawRow[]) => {
  const scroller = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const there = rows.length > 0;
  useLayoutEffect(() => {
    const row = scroller.current?.querySelector('.pj-row.sel');
    row?.scrollIntoView({ block: 'nearest' });
  }, [picked, there]);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element && atEnd.current && Number.isNaN(picked)) element.scrollTop = element.scrollHeight;
  }, [rows, picked]);
  const onScroll = () => {
    const element = scroller.current;
    if (element)
      atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END_PX;
  };
  return { ref: scroller, onScroll };
};

interface SawLookProps {
  readonly threadId: string;
  /** The last event of interest, and the first one kept. */
  readonly end: number;
  readonly first: number;
}

export const SawLook = ({ threadId, end, first }: SawLookProps) => {
  const s = useSawText();
  const x = useSharedText();
  const { entries, failed, again, earlier } = useSaw(threadId, { end, first });
  const [only, setOnly] = useState(false);
  const picked = Number(useUrlParam('seq') ?? Number.NaN);
  const rows = useMemo(() => sawRows(entries), [entries]);
  const placed = usePlaced(picked, rows);
  const shown = only ? rows.filter(differs) : rows;
  return (
    <>
      <Tools rows={shown} only={only} onOnly={setOnly} />
      <div className="pj" role="table" tabIndex={0} aria-label={s('s.region')} {...placed}>
        <Head entries={entries} />
        {earlier && (
          <p className="tail">
            <button type="button" className="btn link t-12" onClick={earlier}>
              {s('s.earlier')}
            </button>
          </p>
        )}
        {failed && (
          <p className="tail">
            <Icon name="alert" />
            {x('x.loadfail')}
            <button type="button" className="btn link t-12" onClick={again}>
              {x('x.again')}
            </button>
          </p>
        )}
        {!failed && shown.length === 0 && (
          <div className="emptyx">
            <SeenMark seen={{ customer: 'full', reviewer: 'full' }} />
            <b>{s(only && rows.length > 0 ? 's.same' : 's.none')}</b>
          </div>
        )}
        {shown.map((row) => (
          <SawRowView key={row.from} row={row} picked={picked >= row.from && picked <= row.to} />
        ))}
      </div>
    </>
  );
};
