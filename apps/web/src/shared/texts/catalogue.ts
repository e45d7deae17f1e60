/** Typed texts: a message is a string, or a function of the values it needs. */
export const LANGUAGES = ['en', 'zh'] as const;
export type Language = (typeof LANGUAGES)[number];

export type Message = string | ((values: never) => string);
export type Catalogue = Readonly<Record<string, Message>>;
/** The same keys with the same values, in another language. */
export type Translation<C extends Catalogue> = {
  readonly [K in keyof C]: C[K] extends string ? string : C[K];
};

type Values<M> = M extends (values: infer V) => string ? [values: V] : [];
export type Translate<C extends Catalogue> = <K extends keyof C>(key: K, ...values: Values<C[K]>) => string;

export const translator =
  <C extends Catalogue>(catalogue: Translation<C>): Translate<C> =>
  (key, ...values) => {
    const message = catalogue[key] as unknown;
    return typeof message === 'function'
      ? (message as (...given: unknown[]) => string)(...values)
      : String(message);
  };

/** `?lang=` first, then what was chosen before, then what the browser speaks. */
export const chooseLanguage = (
  asked: string | null,
  stored: string | null,
  spoken: readonly string[],
): Language => {
  const wishes = [asked, stored, ...spoken].filter((wish) => wish !== null);
  const found = wishes.map((wish) => LANGUAGES.find((language) => wish.toLowerCase().startsWith(language)));
  return found.find((language) => language !== undefined) ?? 'en';
};
