/** The filter language of the log: `type:TOOL_CALL_*`, `source:hub`, `run:…`, `seen:customer`, and plain text. */
import type { Seen } from '@triptych/protocol';
import { familyOf, typeOf, type Family } from './families.js';
import type { Entry } from './log-book.js';

type Test = (entry: Entry, json: () => string) => boolean;

export interface Filter {
  readonly families: ReadonlySet<Family>;
  readonly tests: readonly Test[];
}

export const EVERYTHING: Filter = { families: new Set(), tests: [] };

const globbed = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`, 'i');

const seenBy = (surface: string): Test => {
  const got = (verdict: Seen | undefined) => verdict === 'full' || verdict === 'redacted';
  return (entry) => {
    if (surface === 'operator') return true;
    if (entry.kind !== 'stored') return false;
    return surface === 'customer' || surface === 'reviewer' ? got(entry.seen?.[surface]) : false;
  };
};

const FIELDS: Readonly<Record<string, (value: string) => Test>> = {
  type: (value) => {
    const pattern = globbed(value);
    return (entry) => pattern.test(typeOf(entry));
  },
  source: (value) => (entry) => entry.kind === 'stored' && entry.source === value.toLowerCase(),
  seen: (value) => seenBy(value.toLowerCase()),
  seq: (value) => (entry) => entry.kind === 'stored' && String(entry.seq) === value,
};

const textTest = (word: string): Test => {
  const wanted = word.toLowerCase();
  return (_entry, json) => json().includes(wanted);
};

const testOf = (word: string): Test => {
  const negated = word.startsWith('-') && word.length > 1;
  const plain = negated ? word.slice(1) : word;
  const [, field = '', value = ''] = /^(\w+):(.+)$/.exec(plain) ?? [];
  const make = Object.hasOwn(FIELDS, field.toLowerCase()) ? FIELDS[field.toLowerCase()] : undefined;
  const test = make?.(value) ?? textTest(plain);
  return negated ? (entry, json) => !test(entry, json) : test;
};

/** Every word must hold; a leading `-` turns one around. An unknown field is text. */
export const parseFilter = (text: string, families: ReadonlySet<Family>): Filter => ({
  families,
  tests: text.trim().split(/\s+/).filter(Boolean).map(testOf),
});

export const isEverything = (filter: Filter): boolean =>
  filter.tests.length === 0 && filter.families.size === 0;

export const passes = (filter: Filter, entry: Entry): boolean => {
  if (filter.families.size > 0 && !filter.families.has(familyOf(entry))) return false;
  if (filter.tests.length === 0) return true;
  let cached: string | undefined;
  const json = () => (cached ??= JSON.stringify(entry.event).toLowerCase());
  return filter.tests.every((test) => test(entry, json));
};
