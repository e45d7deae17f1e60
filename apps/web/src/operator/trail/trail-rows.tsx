/** The records as rows, newest first. */
import type { KeyboardEvent } from 'react';
import { Icon } from '../../shared/icon.js';
import { nameOf } from '../../shared/personas.js';
import { useSurface } from '../../shared/surface-context.js';
import { addressWith } from '../../shared/url-state.js';
import { SUBJECT_PARTS, isHole, type AuditItem, type AuditRecord } from '../core/audit-record.js';
import { useTrailText } from './texts.js';

const COLUMNS = ['record', 'when', 'who', 'did', 'on', 'rule'] as const;

/** Of today the second counts, of other days the day. */
const isToday = (at: number, now: number): boolean =>
  new Date(at).toDateString() === new Date(now).toDateString();

const Cells = ({ record, now }: { record: AuditRecord; now: number }) => {
  const { formats } = useSurface();
  const part = SUBJECT_PARTS.find((name) => record.subject[name] !== undefined);
  return (
    <>
      <time className="tm" dateTime={new Date(record.at).toISOString()}>
        {isToday(record.at, now) ? formats.timeExact(record.at) : formats.when(record.at, now)}
      </time>
      <span className="who">
        {nameOf(record.actor.id)} <span className="c3">{record.actor.via}</span>
      </span>
      <span className="did">{record.action}</span>
      <span className="on">{part && record.subject[part]}</span>
      <span className="rule">{record.policyId}</span>
    </>
  );
};

interface TrailRowsProps {
  readonly items: readonly AuditItem[];
  readonly current: number | undefined;
  readonly now: number;
  readonly onPick: (seq: number | undefined) => void;
  readonly onStep: (by: number) => void;
}

const addressOf = (seq: number): string =>
  addressWith(window.location.pathname + window.location.search, { record: String(seq) });

export const TrailRows = ({ items, current, now, onPick, onStep }: TrailRowsProps) => {
  const t = useTrailText();
  const { formats } = useSurface();
  const pressed = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) onStep(by);
    else if (event.key === 'Escape') onPick(undefined);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className="tr-row h" aria-hidden="true">
        {COLUMNS.map((name) => (
          <span key={name}>{t(`t.col.${name}`)}</span>
        ))}
      </div>
      <ol className="tr-rows" aria-label={t('t.records')} onKeyDown={pressed}>
        {items.map((item) => (
          <li key={item.seq}>
            <a
              id={`record-${item.seq}`}
              className={isHole(item) ? 'tr-row bad' : 'tr-row'}
              href={addressOf(item.seq)}
              aria-current={item.seq === current || undefined}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                event.preventDefault();
                onPick(item.seq);
              }}
            >
              <span className="q">{formats.number(item.seq)}</span>
              {isHole(item) ? (
                <span className="hole">
                  <Icon name="alert" />
                  {t('t.hole')}
                </span>
              ) : (
                <Cells record={item} now={now} />
              )}
            </a>
          </li>
        ))}
      </ol>
    </>
  );
};
