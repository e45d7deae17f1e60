/** Which language the page speaks, and how a person changes it. */
import { createContext, useContext, useMemo } from 'react';
import {
  chooseLanguage,
  translator,
  type Catalogue,
  type Language,
  type Translate,
  type Translation,
} from './texts/catalogue.js';
import { goTo } from './url-state.js';

const STORED = 'triptych.language';

export const LanguageContext = createContext<Language>('en');
export const useLanguage = (): Language => useContext(LanguageContext);

export const currentLanguage = (): Language =>
  chooseLanguage(
    new URLSearchParams(window.location.search).get('lang'),
    window.localStorage.getItem(STORED),
    window.navigator.languages,
  );

export const switchLanguage = (to: Language): void => {
  window.localStorage.setItem(STORED, to);
  goTo({ lang: to }, 'replace');
};

export const makeUseText =
  <C extends Catalogue>(en: C, zh: Translation<C>) =>
  (): Translate<C> => {
    const language = useLanguage();
    return useMemo(() => translator<C>(language === 'zh' ? zh : (en as Translation<C>)), [language]);
  };
