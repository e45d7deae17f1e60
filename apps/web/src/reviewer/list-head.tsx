/** The head of the list: what it is, how much, in which order, narrowed by what. */
import type { RefObject } from 'react';
import { ConnectionLine } from '../shared/connection-line.js';
import { Icon } from '../shared/icon.js';
import { Key } from '../shared/marks.js';
import { useSurface } from '../shared/surface-context.js';
import { isClosed, type DeskQuestion } from './core/desk-question.js';
import { FilterRow, SortChoice, useSearchText } from './filter-row.js';
import { useDeskText } from './texts.js';
import type { Facets } from './use-facets.js';
import type { Picks } from './use-picks.js';
import type { DeskQueue } from './use-queue.js';

export interface ListHeadProps {
  readonly title: string;
  readonly desk: DeskQueue;
  readonly question: DeskQuestion;
  readonly facets: Facets | undefined;
  readonly shown: number;
  readonly picks: Picks;
  readonly searchRef: RefObject<HTMLInputElement | null>;
  readonly onMenu: () => void;
}

const Search = ({ question, searchRef }: Pick<ListHeadProps, 'question' | 'searchRef'>) => {
  const t = useDeskText();
  const [text, setText] = useSearchText(question.text);
  return (
    <label className="search grow">
      <Icon name="search" />
      <span className="sr">{t('r.search.label')}</span>
      <input
        ref={searchRef}
        className="input"
        type="search"
        value={text}
        placeholder={t('r.search')}
        onChange={(event) => setText(event.target.value)}
      />
      <Key>/</Key>
    </label>
  );
};

export const ListHead = (props: ListHeadProps) => {
  const t = useDeskText();
  const { formats } = useSurface();
  const { title, desk, question, facets, shown, picks, searchRef, onMenu } = props;
  const sortAgain = t('r.sort.again');
  return (
    <div className="rv-lhead">
      <div className="top">
        <button type="button" className="btn ghost sm icon menu" aria-label={t('r.queues')} onClick={onMenu}>
          <Icon name="menu" />
        </button>
        <h1 className="cut">{title}</h1>
        <span className="count grow">{formats.number(desk.total ?? shown)}</span>
        <SortChoice question={question} />
        <button
          type="button"
          className="btn ghost sm icon"
          aria-label={sortAgain}
          title={sortAgain}
          onClick={desk.sortAgain}
        >
          <Icon name="refresh" />
        </button>
      </div>
      <div className="row">
        <Search {...{ question, searchRef }} />
        {shown > 0 && !isClosed(question.queue) && (
          <button
            type="button"
            className="btn ghost sm"
            aria-pressed={picks.picking}
            onClick={picks.picking ? picks.end : picks.begin}
          >
            {t(picks.picking ? 'r.pick.end' : 'r.pick.start')}
          </button>
        )}
      </div>
      <FilterRow {...{ question, facets }} />
      <ConnectionLine />
    </div>
  );
};
