/** The sealed trail, for those who may read it: filters, records, one of them opened. */
import { useEffect, useMemo } from 'react';
import { Icon } from '../../shared/icon.js';
import { Ring } from '../../shared/marks.js';
import { useSurface } from '../../shared/surface-context.js';
import { goTo, useUrlParam } from '../../shared/url-state.js';
import { useNow } from '../../shared/use-now.js';
import { useSharedText } from '../../shared/use-shared-text.js';
import { askFor, FILTERS, isHole, type Filters } from '../core/audit-record.js';
import { RecordPanel } from './record-panel.js';
import { SealChecker } from './seal-checker.js';
import { useTrailText } from './texts.js';
import { TrailExport } from './trail-export.js';
import { TrailFilters } from './trail-filters.js';
import { TrailRows } from './trail-rows.js';
import { useRecord } from './use-record.js';
import { useTrail, type Trail } from './use-trail.js';
import './trail.css';

const MINUTE = 60_000;

/** The same object as long as the address says the same. */
const useFilters = (): Filters => {
  const values = [
    useUrlParam('who'),
    useUrlParam('did'),
    useUrlParam('inThread'),
    useUrlParam('onTask'),
    useUrlParam('since'),
    useUrlParam('until'),
  ];
  return useMemo(
    () =>
      Object.fromEntries(
        FILTERS.map((name, nth) => [name, values[nth]]).filter(([, value]) => value !== undefined),
      ),
    values,
  );
};

const Denied = () => {
  const t = useTrailText();
  return (
    <main className="op-page" id="main">
      <div className="emptyx">
        <Icon name="lock" />
        <b>{t('t.denied')}</b>
        <span>{t('t.denied.why')}</span>
      </div>
    </main>
  );
};

const End = ({ trail, filtered }: { trail: Trail; filtered: boolean }) => {
  const t = useTrailText();
  const x = useSharedText();
  const { state, items, older, again } = trail;
  if (typeof state === 'object')
    return (
      <p className="tr-end err-text">
        <Icon name="alert" />
        {x('x.loadfail')}
        <button type="button" className="btn sm" onClick={older ?? again}>
          {x('x.again')}
        </button>
      </p>
    );
  if (state === 'loading')
    return (
      <p className="tr-end st live">
        <Ring />
      </p>
    );
  if (older)
    return (
      <p className="tr-end">
        <button type="button" className="btn sm" onClick={older}>
          {t(items.length === 0 ? 't.more.looked' : 't.more')}
        </button>
      </p>
    );
  if (items.length > 0) return <p className="tr-end c3">{t(filtered ? 't.end.filtered' : 't.end')}</p>;
  return (
    <div className="emptyx">
      <Icon name={filtered ? 'filter' : 'archive'} />
      <b>{t(filtered ? 't.nomatch' : 't.none')}</b>
      {!filtered && <span>{t('t.none.why')}</span>}
    </div>
  );
};

const usePicked = (items: Trail['items']) => {
  const named = useUrlParam('record');
  const seq = named === undefined || !/^\d{1,15}$/u.test(named) ? undefined : Number(named);
  const pick = (next: number | undefined) => goTo({ record: next?.toString() }, 'replace');
  const step = (by: number) => {
    const at = items.findIndex((item) => item.seq === seq);
    const next = items[Math.min(items.length - 1, Math.max(0, at + by))];
    if (next) pick(next.seq);
  };
  useEffect(() => {
    const row = document.getElementById(`record-${seq}`);
    row?.scrollIntoView({ block: 'nearest' });
    if (row?.closest('ol')?.contains(document.activeElement)) row.focus();
  }, [seq]);
  return { seq, pick, step };
};

export const TrailPage = () => {
  const t = useTrailText();
  const { api } = useSurface();
  const filters = useFilters();
  const query = askFor(filters).toString();
  const trail = useTrail(query);
  const checker = useMemo(() => new SealChecker(api), [api]);
  const { seq, pick, step } = usePicked(trail.items);
  const item = useRecord(seq, trail.items);
  const now = useNow(MINUTE);
  const verbs = useMemo(
    () => [...new Set(trail.items.flatMap((each) => (isHole(each) ? [] : [each.action])))].toSorted(),
    [trail.items],
  );
  if (typeof trail.state === 'object' && trail.state.refused.code === 'FORBIDDEN') return <Denied />;
  return (
    <div className={item ? 'op-trail' : 'op-trail one'}>
      <main className="op-main" id="main">
        <header className="tr-head">
          <div className="ln">
            <h1>{t('t.title')}</h1>
            <span className="grow" />
            <TrailExport query={query} />
            <button type="button" className="btn ghost sm" onClick={trail.again}>
              <Icon name="refresh" />
              {t('t.again')}
            </button>
          </div>
          <p className="c3">{t('t.lead')}</p>
          <TrailFilters filters={filters} verbs={verbs} />
        </header>
        <div className="tr-list" tabIndex={-1}>
          {trail.items.length > 0 && (
            <TrailRows items={trail.items} current={seq} now={now} onPick={pick} onStep={step} />
          )}
          <End trail={trail} filtered={query !== ''} />
        </div>
      </main>
      {item && <RecordPanel item={item} checker={checker} onStep={step} onClose={() => pick(undefined)} />}
    </div>
  );
};
