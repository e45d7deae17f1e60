/** Opens a surface: language, signing in, the client; then shows the page. */
import type { Surface } from '@triptych/protocol';
import { StrictMode, useEffect, useMemo, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { Announcer } from './announcer.js';
import { formatsFor } from './formats.js';
import { Icon } from './icon.js';
import { currentLanguage, LanguageContext, useLanguage } from './language.js';
import { Ring } from './marks.js';
import { SurfaceContext, type SurfaceTools } from './surface-context.js';
import { useUrlParam } from './url-state.js';
import { useBoot, type Boot } from './use-boot.js';
import { useSharedText } from './use-shared-text.js';

const Opening = ({ boot, again }: { boot: Exclude<Boot, { state: 'open' }>; again: () => void }) => {
  const t = useSharedText();
  return (
    <main className="fullpage">
      {boot.state === 'opening' && (
        <p className="st live">
          <Ring />
          {t('x.boot')}
        </p>
      )}
      {boot.state === 'failed' && (
        <div className="emptyx">
          <Icon name="alert" />
          <b>{t('x.loadfail')}</b>
          <button type="button" className="btn" onClick={again}>
            <Icon name="refresh" />
            {t('x.again')}
          </button>
        </div>
      )}
      {boot.state === 'no-sign-in' && (
        <div className="emptyx">
          <Icon name="lock" />
          <b>{t('x.nosource')}</b>
          <span>{t('x.nosource.why')}</span>
        </div>
      )}
    </main>
  );
};

const reload = (): void => window.location.reload();

/** One surface of a page, with a client of its own. */
export const OpenSurface = ({ surface, children }: { surface: Surface; children: ReactNode }) => {
  const language = useLanguage();
  const { boot, again } = useBoot(surface);
  const tools = useMemo<SurfaceTools | undefined>(() => {
    if (boot.state !== 'open') return undefined;
    const { client, api, persona, authMode } = boot;
    const formats = formatsFor(language);
    const kept = { keptAs: persona.sub, again: reload };
    return { client, api, me: persona, authMode, surface, language, formats, ...kept };
  }, [boot, surface, language]);
  if (boot.state !== 'open' || tools === undefined) {
    return boot.state === 'open' ? null : <Opening boot={boot} again={again} />;
  }
  return <SurfaceContext value={tools}>{children}</SurfaceContext>;
};

const Speaking = ({ children }: { children: ReactNode }) => {
  const asked = useUrlParam('lang');
  const language = useMemo(() => currentLanguage(), [asked]);
  useEffect(() => {
    document.documentElement.lang = language === 'zh' ? 'zh-Hans' : 'en';
  }, [language]);
  return (
    <LanguageContext value={language}>
      <Announcer>{children}</Announcer>
    </LanguageContext>
  );
};

const root = (): HTMLElement => {
  const element = document.getElementById('root');
  if (element === null) throw new Error('The page has no root.');
  return element;
};

/** A page without a hub behind it: the landing page. */
export const mountPage = (page: ReactNode): void => {
  createRoot(root()).render(
    <StrictMode>
      <Speaking>{page}</Speaking>
    </StrictMode>,
  );
};

export const mountSurface = (surface: Surface, page: ReactNode): void =>
  mountPage(<OpenSurface surface={surface}>{page}</OpenSurface>);
