/** Fills `{{placeholders}}` in any JSON: `{{path}}`, `{{path | filter argument}}`. */
import { FILTERS } from './filters.js';

export type Scope = Readonly<Record<string, unknown>>;

const PLACEHOLDER = /\{\{([^{}]+)\}\}/g;
const WHOLE = /^\{\{([^{}]+)\}\}$/;

/** A string that is one placeholder becomes the value itself; what is not there is left out. */
export const fill = (template: unknown, scope: Scope): unknown => {
  if (typeof template === 'string') return fillText(template, scope);
  if (Array.isArray(template)) return template.map((item) => fill(item, scope) ?? null);
  if (template === null || typeof template !== 'object') return template;
  const filled = Object.entries(template).map(([key, value]) => [key, fill(value, scope)] as const);
  return Object.fromEntries(filled.filter(([, value]) => value !== undefined));
};

export const fillWords = (template: string, scope: Scope): string =>
  template.replaceAll(PLACEHOLDER, (_whole, expression: string) => asWords(valueOf(expression, scope)));

const asWords = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

const fillText = (template: string, scope: Scope): unknown => {
  const whole = WHOLE.exec(template)?.[1];
  return whole === undefined ? fillWords(template, scope) : valueOf(whole, scope);
};

const valueOf = (expression: string, scope: Scope): unknown => {
  const [path = '', ...filters] = expression.split('|').map((part) => part.trim());
  return filters.reduce(
    (value, filter) => {
      const [filterName = '', ...words] = filter.split(/\s+/);
      const apply = FILTERS[filterName];
      if (!apply) throw new Error(`there is no filter ${filterName}`);
      return apply(
        value,
        words.map((word) => argumentOf(word, scope)),
      );
    },
    lookUp(path, scope),
  );
};

const argumentOf = (word: string, scope: Scope): unknown =>
  Number.isNaN(Number(word)) ? lookUp(word, scope) : Number(word);

/** Reads `a.b.c`; own members only, so that no path leads into a prototype. */
export const lookUp = (path: string, scope: Scope): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, key)
          ? (value as Record<string, unknown>)[key]
          : undefined,
      scope,
    );

/** The names that the placeholders of a template begin with. */
export const namesIn = (template: unknown): ReadonlySet<string> => {
  const text = JSON.stringify(template);
  return new Set([...text.matchAll(PLACEHOLDER)].map(([, expression = '']) => rootOf(expression)));
};

const rootOf = (expression: string): string => /^[^.|]*/.exec(expression)?.[0].trim() ?? '';
