/** What became of the tool call an event belongs to; each step leads to its event. */
import { Icon, type IconName } from '../shared/icon.js';
import { useSurface } from '../shared/surface-context.js';
import { argumentCount, callTrail, type TrailStep } from './core/call-trail.js';
import type { Entry, LogBook } from './core/log-book.js';
import { useConsoleText } from './texts.js';
import type { LogView } from './use-log-view.js';

const STEP_ICONS: Readonly<Record<TrailStep['kind'], IconName>> = {
  called: 'bolt',
  args: 'list',
  asks: 'scale',
  result: 'check',
  other: 'circle',
};

const useStepWords = (): ((step: TrailStep) => string) => {
  const t = useConsoleText();
  const { formats } = useSurface();
  return ({ kind, entry: { event }, args = '' }) => {
    const count = argumentCount(args);
    switch (kind) {
      case 'called':
        return t('o.call.called', { name: String(event.toolCallName) });
      case 'args':
        return count === undefined ? t('o.call.args.cut') : t('o.call.args', { n: formats.number(count) });
      case 'asks':
        return t('o.call.asks');
      case 'result':
        return t('o.call.result');
      case 'other':
        return String(event.type);
    }
  };
};

export const CallTrail = ({ entry, book, view }: { entry: Entry; book: LogBook; view: LogView }) => {
  const t = useConsoleText();
  const wordsOf = useStepWords();
  const { formats } = useSurface();
  if (entry.kind !== 'stored') return null;
  const trail = callTrail(book, entry.event.toolCallId);
  if (trail.length < 2) return null;
  return (
    <section>
      <h3>{t('o.insp.call')}</h3>
      <ol className="trail">
        {trail.map(({ entry: each, ...step }) => (
          <li
            key={each.seq}
            className={entry.seq >= each.seq && entry.seq <= step.lastSeq ? 'on' : undefined}
          >
            <Icon name={STEP_ICONS[step.kind]} className="sm" />
            <button
              type="button"
              className="btn link t-12"
              onClick={() => view.select({ kind: 'event', key: `e${each.seq}`, entry: each })}
            >
              <span className="cut">{wordsOf({ entry: each, ...step })}</span>
            </button>
            <span className="q">
              {formats.number(each.seq)}
              {step.lastSeq > each.seq && `–${formats.number(step.lastSeq)}`}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
};
