/** What of the trail is wanted: who, did what, on what, when. It stands in the address. */
import { useState, type FormEvent } from 'react';
import { Icon } from '../../shared/icon.js';
import { goTo } from '../../shared/url-state.js';
import { FILTERS, type Filters } from '../core/audit-record.js';
import { useTrailText } from './texts.js';

const TYPES = { since: 'datetime-local', until: 'datetime-local' } as const;
const NONE = Object.fromEntries(FILTERS.map((name) => [name, undefined]));

export const filterBy = (filters: Filters): void => goTo({ ...NONE, record: undefined, ...filters });

interface TrailFiltersProps {
  readonly filters: Filters;
  /** Verbs that were seen so far. */
  readonly verbs: readonly string[];
}

export const TrailFilters = ({ filters, verbs }: TrailFiltersProps) => {
  const t = useTrailText();
  const [draft, setDraft] = useState(filters);
  const [shown, setShown] = useState(filters);
  if (shown !== filters) {
    // The address has changed: by a link, or by going back.
    setShown(filters);
    setDraft(filters);
  }
  const send = (event: FormEvent) => {
    event.preventDefault();
    filterBy(Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== '')));
  };
  return (
    <form className="tr-filters" role="search" aria-label={t('t.filters')} onSubmit={send}>
      {FILTERS.map((name) => (
        <label key={name} className={`f-${name}`}>
          <span>{t(`t.${name}`)}</span>
          <input
            className="input"
            type={name === 'since' || name === 'until' ? TYPES[name] : 'text'}
            list={name === 'did' ? 'trail-verbs' : undefined}
            placeholder={name === 'did' ? t('t.did.hint') : undefined}
            value={draft[name] ?? ''}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setDraft({ ...draft, [name]: event.target.value })}
          />
        </label>
      ))}
      <datalist id="trail-verbs">
        {verbs.map((verb) => (
          <option key={verb} value={verb} />
        ))}
      </datalist>
      <div className="acts">
        <button type="submit" className="btn sm">
          <Icon name="filter" />
          {t('t.show')}
        </button>
        {Object.keys(filters).length > 0 && (
          <button type="button" className="btn ghost sm" onClick={() => filterBy({})}>
            {t('t.clear')}
          </button>
        )}
      </div>
    </form>
  );
};
