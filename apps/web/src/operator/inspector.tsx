/** One event, taken apart: where it stands, who sees it, what it holds. */
import type { Seen } from '@triptych/protocol';
import { useState } from 'react';
import { Icon } from '../shared/icon.js';
import { useSurface } from '../shared/surface-context.js';
import { CallTrail } from './call-trail.js';
import { familyOf, typeOf } from './core/families.js';
import { decoded } from './core/json-tokens.js';
import type { Entry, LogBook, Stored } from './core/log-book.js';
import { runOf } from './core/rows.js';
import { JsonView } from './json-view.js';
import { SeenMark } from './seen-mark.js';
import { useConsoleText } from './texts.js';
import type { LogView } from './use-log-view.js';

const Facts = ({ entry, book }: { entry: Entry; book: LogBook }) => {
  const t = useConsoleText();
  const { formats } = useSurface();
  const run = entry.kind === 'stored' ? runOf(book, entry.seq) : undefined;
  const rows: readonly [string, string | undefined, boolean][] = [
    [t('o.insp.position'), entry.kind === 'stored' ? `${book.epoch}:${entry.seq}` : undefined, true],
    [t('o.insp.received'), formats.timeExact(entry.at), false],
    [t('o.insp.source'), entry.kind === 'stored' ? entry.source : undefined, false],
    [t('o.insp.run'), run, true],
  ];
  return (
    <dl className="kv">
      {rows.map(([label, value, mono]) =>
        value === undefined ? null : (
          <div key={label} className="pairx">
            <dt>{label}</dt>
            <dd className={mono ? 'mono' : undefined}>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
};

const SawLine = ({ surface, verdict }: { surface: 'customer' | 'reviewer'; verdict: Seen }) => {
  const t = useConsoleText();
  return (
    <li>
      <div className="ln">
        <b>{t(`o.surface.${surface}`)}</b>
        <span>{t(`o.saw.${verdict}.note`)}</span>
        <span className="st">
          {verdict === 'hidden' && <Icon name="eyeoff" />}
          {t(`o.saw.${verdict}`)}
        </span>
      </div>
    </li>
  );
};

const WhoSaw = ({ entry }: { entry: Stored }) => {
  const t = useConsoleText();
  return (
    <section>
      <h3>
        {t('o.insp.who')} <SeenMark seen={entry.seen} />
      </h3>
      <p className="hint">{t('o.insp.who.note')}</p>
      <ul className="saw">
        <SawLine surface="customer" verdict={entry.seen?.customer ?? 'hidden'} />
        <SawLine surface="reviewer" verdict={entry.seen?.reviewer ?? 'hidden'} />
        <li>
          <div className="ln">
            <b>{t('o.surface.operator')}</b>
            <span>{t('o.saw.operator')}</span>
          </div>
        </li>
      </ul>
    </section>
  );
};

const Content = ({ entry }: { entry: Entry }) => {
  const t = useConsoleText();
  const [raw, setRaw] = useState(false);
  const shown = raw ? JSON.stringify(entry.event) : JSON.stringify(decoded(entry.event), null, 2);
  return (
    <section>
      <h3>
        {t('o.inspector')}
        <span className="seg" role="group">
          {([false, true] as const).map((asRaw) => (
            <button
              type="button"
              key={String(asRaw)}
              className={raw === asRaw ? 'on' : undefined}
              aria-pressed={raw === asRaw}
              onClick={() => setRaw(asRaw)}
            >
              {t(asRaw ? 'o.insp.raw' : 'o.insp.decoded')}
            </button>
          ))}
        </span>
      </h3>
      <JsonView text={shown} label={t('o.inspector')} />
      {entry.kind === 'stored' && entry.raw !== undefined && (
        <details className="producer">
          <summary>{t('o.insp.producer')}</summary>
          <JsonView text={entry.raw} label={t('o.insp.producer')} />
        </details>
      )}
    </section>
  );
};

export const Inspector = ({ entry, book, view }: { entry: Entry; book: LogBook; view: LogView }) => {
  const t = useConsoleText();
  const [copied, setCopied] = useState<Entry | undefined>(undefined);
  const copy = () => {
    void navigator.clipboard.writeText(JSON.stringify(entry.event)).then(() => setCopied(entry));
  };
  return (
    <aside className="op-insp" aria-label={t('o.inspector')}>
      <header>
        <div className="ln">
          <h2 className={`c-${familyOf(entry)}`}>{typeOf(entry)}</h2>
          <span className="grow" />
          <button
            type="button"
            className="btn ghost sm icon"
            aria-label={t('o.insp.previous')}
            onClick={() => view.stepEvent(-1)}
          >
            <Icon name="up" />
          </button>
          <button
            type="button"
            className="btn ghost sm icon"
            aria-label={t('o.insp.next')}
            onClick={() => view.stepEvent(1)}
          >
            <Icon name="down" />
          </button>
          <button
            type="button"
            className="btn ghost sm icon"
            aria-label={t(copied === entry ? 'o.insp.copied' : 'o.insp.copy')}
            onClick={copy}
          >
            <Icon name={copied === entry ? 'check' : 'copy'} />
          </button>
          <button
            type="button"
            className="btn ghost sm icon"
            aria-label={t('o.insp.close')}
            onClick={() => view.select(undefined)}
          >
            <Icon name="x" />
          </button>
        </div>
        <Facts entry={entry} book={book} />
        {entry.kind === 'refused' && (
          <p className="err-text">
            <Icon name="alert" />
            <span>{t('o.refused', { why: entry.message ?? entry.rule })}</span>
          </p>
        )}
      </header>
      <div className="in" tabIndex={0} role="region" aria-label={t('o.inspector')}>
        {entry.kind === 'stored' && <WhoSaw entry={entry} />}
        <Content entry={entry} />
        <CallTrail entry={entry} book={book} view={view} />
      </div>
    </aside>
  );
};
