/** The tools above the log: pause, filter, families. */
import { Icon } from '../shared/icon.js';
import { useSurface } from '../shared/surface-context.js';
import { FAMILIES } from './core/families.js';
import type { LogBook } from './core/log-book.js';
import { familyCounts } from './core/rows.js';
import { GoToEvent } from './go-to-event.js';
import { useConsoleText } from './texts.js';
import type { LogView } from './use-log-view.js';

const Families = ({ book, view }: { book: LogBook; view: LogView }) => {
  const t = useConsoleText();
  const { formats } = useSurface();
  const counts = familyCounts(book);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return (
    <div className="fam" role="group" aria-label={t('o.filter')}>
      <button
        type="button"
        className={view.families.size === 0 ? 'on' : undefined}
        aria-pressed={view.families.size === 0}
        onClick={() => view.toggleFamily(undefined)}
      >
        <span>
          {t('o.family.all')} {formats.number(total)}
        </span>
      </button>
      {FAMILIES.filter((family) => counts.has(family)).map((family) => (
        <button
          type="button"
          key={family}
          className={`c-${family}${view.families.has(family) ? ' on' : ''}`}
          aria-pressed={view.families.has(family)}
          onClick={() => view.toggleFamily(family)}
        >
          <span>
            {t(`o.family.${family}`)} {formats.number(counts.get(family) ?? 0)}
          </span>
        </button>
      ))}
    </div>
  );
};

interface LogToolsProps {
  readonly book: LogBook;
  readonly view: LogView;
  readonly last: number;
  readonly onGo: (seq: number) => void;
}

export const LogTools = ({ book, view, last, onGo }: LogToolsProps) => {
  const t = useConsoleText();
  return (
    <div className="op-tools">
      <button
        type="button"
        className="btn sm"
        aria-pressed={view.paused}
        onClick={() => view.setPaused(!view.paused)}
      >
        <Icon name={view.paused ? 'play' : 'pause'} />
        {t(view.paused ? 'o.follow' : 'o.pause')}
      </button>
      <button
        type="button"
        className="btn sm"
        aria-pressed={view.unfolded}
        onClick={() => view.setUnfolded(!view.unfolded)}
      >
        {t('o.unfolded')}
      </button>
      <label className="flt">
        <Icon name="filter" />
        <span className="sr">{t('o.filter')}</span>
        <input
          id="log-filter"
          className="input"
          type="search"
          value={view.text}
          placeholder={t('o.filter.hint')}
          spellCheck={false}
          autoCapitalize="off"
          onChange={(event) => view.setText(event.target.value)}
        />
      </label>
      <GoToEvent first={book.firstSeq} last={last} onGo={onGo} />
      <Families book={book} view={view} />
    </div>
  );
};
