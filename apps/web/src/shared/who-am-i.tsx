/** Who is signed in; in development, a choice of people. And the language. */
import { switchLanguage, useLanguage } from './language.js';
import { Icon } from './icon.js';
import { Initials } from './marks.js';
import { nameOf, PERSONAS } from './personas.js';
import { useSurface } from './surface-context.js';
import { becomePersona } from './use-boot.js';
import { useConnection } from './use-connection.js';
import { useSharedText } from './use-shared-text.js';

/** The session knows who we are; until it is there, the persona is who we mean to be. */
export const useMe = (): string => {
  const { client, me, authMode } = useSurface();
  const connection = useConnection(client);
  if (authMode === 'dev') return me.sub;
  return connection.state === 'ready' ? connection.session.subject : '';
};

export const WhoAmI = () => {
  const t = useSharedText();
  const { surface, authMode } = useSurface();
  const sub = useMe();
  if (authMode !== 'dev') {
    return (
      <span className="persona">
        <Initials name={nameOf(sub)} own />
        <span className="cut">{nameOf(sub)}</span>
      </span>
    );
  }
  return (
    <label className="persona">
      <Initials name={nameOf(sub)} own />
      <span className="sr">{t('x.persona')}</span>
      <span className="choice">
        <select value={sub} onChange={(event) => becomePersona(surface, event.target.value)}>
          {PERSONAS[surface].map((persona) => (
            <option key={persona.sub} value={persona.sub}>
              {persona.name}
            </option>
          ))}
        </select>
        <Icon name="down" className="sm" />
      </span>
    </label>
  );
};

export const LanguageSwitch = () => {
  const t = useSharedText();
  const language = useLanguage();
  const other = language === 'zh' ? 'en' : 'zh';
  return (
    <button
      type="button"
      className="btn ghost sm"
      lang={other === 'zh' ? 'zh-Hans' : 'en'}
      aria-label={t('x.language')}
      title={t('x.language')}
      onClick={() => switchLanguage(other)}
    >
      {t('x.language.short')}
    </button>
  );
};
