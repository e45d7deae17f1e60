/** What narrows the list, and in which order it comes: all of it is kept in the address. */
import { useEffect, useState, type ReactNode } from 'react';
import { Icon } from '../shared/icon.js';
import { nameOf } from '../shared/personas.js';
import { readableName } from '../shared/readable-name.js';
import { useSurface } from '../shared/surface-context.js';
import { goTo } from '../shared/url-state.js';
import { useMe } from '../shared/who-am-i.js';
import {
  DUES,
  FILTERS,
  filtersFor,
  HELD_BY_ME,
  HELD_BY_NOBODY,
  isClosed,
  PRIORITIES,
  SORTS,
  SUMS,
  type DeskFilters,
  type DeskQuestion,
} from './core/desk-question.js';
import { useDeskText } from './texts.js';
import type { Facets } from './use-facets.js';

type FilterName = keyof DeskFilters;

interface PillProps {
  readonly name: FilterName;
  readonly value: string | undefined;
  readonly options: readonly (readonly [value: string, label: string])[];
}

/** A choice that looks like what it narrows by until something is chosen. */
const Pill = ({ name, value, options }: PillProps) => {
  const t = useDeskText();
  const label = t(`r.filter.${name}`);
  return (
    <label className={value === undefined ? 'fpill' : 'fpill on'}>
      <span className="sr">{label}</span>
      <select
        value={value ?? ''}
        onChange={(event) => goTo({ [name]: event.target.value || undefined }, 'replace')}
      >
        <option value="">{value === undefined ? label : t('r.filter.any', { what: label })}</option>
        {options.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
      <Icon name="down" className="sm" />
    </label>
  );
};

/** What is chosen stands among the choices, wherever it came from. */
const withChosen = (names: readonly string[], chosen: string | undefined): readonly string[] =>
  chosen === undefined || names.includes(chosen) ? names : [...names, chosen];

const useOptions = (question: DeskQuestion, facets: Facets | undefined) => {
  const t = useDeskText();
  const { formats } = useSurface();
  const me = useMe();
  const named = (names: Readonly<Record<string, number>> | undefined, chosen: string | undefined) =>
    withChosen(Object.keys(names ?? {}).toSorted(), chosen).map(
      (name) => [name, readableName(name)] as const,
    );
  const numbers = (given: readonly number[], chosen: number | undefined) =>
    withChosen(given.map(String), chosen?.toString()).map(
      (each) => [each, t('r.filter.least', { n: formats.number(Number(each)) })] as const,
    );
  const holders = Object.keys(facets?.holders ?? {}).filter((name) => name !== me);
  const own = [HELD_BY_ME, HELD_BY_NOBODY];
  const people = withChosen(
    holders,
    question.held !== undefined && own.includes(question.held) ? undefined : question.held,
  );
  return {
    due: DUES.map((due) => [due, t(`r.filter.due.${due}`)] as const),
    min: numbers(SUMS, question.min),
    urgent: numbers(PRIORITIES, question.urgent),
    agent: named(facets?.agents, question.agent),
    tool: named(facets?.tools, question.tool),
    held: [
      [HELD_BY_ME, t('r.filter.held.me')] as const,
      [HELD_BY_NOBODY, t('r.filter.held.nobody')] as const,
      ...people.map((sub) => [sub, nameOf(sub)] as const),
    ],
  } satisfies Record<FilterName, PillProps['options']>;
};

const NONE = Object.fromEntries(FILTERS.map((name) => [name, undefined]));

interface FilterRowProps {
  readonly question: DeskQuestion;
  readonly facets: Facets | undefined;
}

export const FilterRow = ({ question, facets }: FilterRowProps) => {
  const t = useDeskText();
  const options = useOptions(question, facets);
  const names = filtersFor(question.queue);
  const isNarrowed = names.some((name) => question[name] !== undefined);
  return (
    <div className="filters" role="group" aria-label={t('r.filters')}>
      {names.map((name) => (
        <Pill key={name} name={name} value={question[name]?.toString()} options={options[name]} />
      ))}
      {isNarrowed && (
        <button type="button" className="btn link t-12" onClick={() => goTo(NONE, 'replace')}>
          {t('r.filters.clear')}
        </button>
      )}
    </div>
  );
};

/** What is over comes in the order of its end. */
export const SortChoice = ({ question }: { question: DeskQuestion }): ReactNode => {
  const t = useDeskText();
  if (isClosed(question.queue)) return <span className="c3 t-12">{t('r.sort.ended')}</span>;
  return (
    <label className="fsort">
      <span className="sr">{t('r.sort')}</span>
      <select
        value={question.sort}
        onChange={(event) =>
          goTo({ sort: event.target.value === SORTS[0] ? undefined : event.target.value }, 'replace')
        }
      >
        {SORTS.map((sort) => (
          <option key={sort} value={sort}>
            {t(`r.sort.${sort}`)}
          </option>
        ))}
      </select>
      <Icon name="down" className="sm" />
    </label>
  );
};

/** The hub is asked once nothing has been typed for so long. */
const TYPED_MS = 250;

/** The text of the search, and the address that follows it; what the address says otherwise is followed back. */
export const useSearchText = (asked: string): [string, (text: string) => void] => {
  const [text, setText] = useState(asked);
  const [sent, setSent] = useState(asked);
  if (asked !== sent) {
    setSent(asked);
    setText(asked);
  }
  useEffect(() => {
    if (text === sent) return undefined;
    const timer = setTimeout(() => {
      setSent(text);
      goTo({ q: text || undefined }, 'replace');
    }, TYPED_MS);
    return () => clearTimeout(timer);
  }, [text, sent]);
  return [text, setText];
};
