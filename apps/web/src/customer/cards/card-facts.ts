/** The kinds of card this version can draw, and the facts each must bring. */
import type { CardValue } from '../core/cards.js';
import {
  BadFacts,
  facts,
  listFact,
  numberFact,
  numberIf,
  numbersFact,
  textFact,
  textIf,
} from './read-props.js';

export interface IdentityFacts {
  readonly name: string;
  readonly confirmed: boolean;
  readonly checks: readonly { readonly label: string; readonly passed: boolean }[];
}

export interface AllocationFacts {
  readonly title?: string;
  readonly mandate?: string;
  readonly amount?: number;
  readonly currency: string;
  /** Percent of the whole; together 100. */
  readonly parts: readonly { readonly label: string; readonly percent: number }[];
}

/** One value a year, the first for today. */
export interface GrowthFacts {
  readonly title?: string;
  readonly note?: string;
  readonly currency: string;
  readonly years: number;
  readonly weak: readonly number[];
  readonly expected: readonly number[];
  readonly strong: readonly number[];
}

export interface AccountFacts {
  readonly accountId: string;
  readonly open: boolean;
  readonly amount?: number;
  readonly currency: string;
  readonly mandate?: string;
}

/** More parts than colours that can be told apart. */
const MAX_PARTS = 8;
/** Percentages are rounded by whoever wrote them. */
const ROUNDING = 0.6;
const MAX_YEARS = 60;
const DEFAULT_CURRENCY = 'EUR';

const optional = <K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> =>
  value === undefined ? {} : ({ [key]: value } as Record<K, V>);

const identity = (props: unknown): IdentityFacts => {
  const given = facts(props);
  const checks = given.checks === undefined ? [] : listFact(given, 'checks');
  return {
    name: textFact(given, 'name'),
    confirmed: textFact(given, 'status') === 'verified',
    checks: checks.map((check) => ({
      label: textFact(check, 'label'),
      passed: textFact(check, 'status') === 'passed',
    })),
  };
};

const allocation = (props: unknown): AllocationFacts => {
  const given = facts(props);
  const parts = listFact(given, 'parts').map((part) => ({
    label: textFact(part, 'label'),
    percent: numberFact(part, 'percent'),
  }));
  const sum = parts.reduce((total, part) => total + part.percent, 0);
  const sound = parts.length <= MAX_PARTS && parts.every((part) => part.percent >= 0);
  if (!sound || Math.abs(sum - 100) > ROUNDING) throw new BadFacts();
  return {
    parts,
    currency: textIf(given, 'currency') ?? DEFAULT_CURRENCY,
    ...optional('amount', numberIf(given, 'amount')),
    ...optional('mandate', textIf(given, 'mandate')),
    ...optional('title', textIf(given, 'title')),
  };
};

const growth = (props: unknown): GrowthFacts => {
  const given = facts(props);
  const shown: GrowthFacts = {
    years: numberFact(given, 'years'),
    weak: numbersFact(given, 'weak'),
    expected: numbersFact(given, 'expected'),
    strong: numbersFact(given, 'strong'),
    currency: textIf(given, 'currency') ?? DEFAULT_CURRENCY,
    ...optional('title', textIf(given, 'title')),
    ...optional('note', textIf(given, 'note')),
  };
  const { weak, expected, strong, years } = shown;
  const sameLength = weak.length === expected.length && expected.length === strong.length;
  const ordered = expected.every((value, at) => (weak[at] ?? 0) <= value && value <= (strong[at] ?? 0));
  if (!sameLength || !ordered || years <= 0 || years > MAX_YEARS) throw new BadFacts();
  return shown;
};

const account = (props: unknown): AccountFacts => {
  const given = facts(props);
  return {
    accountId: textFact(given, 'accountId'),
    open: textFact(given, 'status') === 'open',
    currency: textIf(given, 'currency') ?? DEFAULT_CURRENCY,
    ...optional('amount', numberIf(given, 'amount')),
    ...optional('mandate', textIf(given, 'mandate')),
  };
};

const READERS = {
  'identity-result': identity,
  allocation,
  growth,
  'account-opened': account,
} as const;

type Readers = typeof READERS;
export type CardKind = keyof Readers;
export type CardReading =
  | { [K in CardKind]: { readonly kind: K; readonly facts: ReturnType<Readers[K]> } }[CardKind]
  | { readonly kind: 'unknown' }
  | { readonly kind: 'invalid' };

/** Checked before it is drawn: a wrong number is left out, never shown as if it were right. */
export const readFacts = (card: CardValue): CardReading => {
  if (!Object.hasOwn(READERS, card.component)) return { kind: 'unknown' };
  const kind = card.component as CardKind;
  try {
    return { kind, facts: READERS[kind](card.props) } as CardReading;
  } catch (problem) {
    if (problem instanceof BadFacts) return { kind: 'invalid' };
    throw problem;
  }
};
