/** The ways to look at one thread, as tabs under its head. */
import { addressWith, goTo } from '../shared/url-state.js';
import { LOOKS, nameOfLook, type Look } from './core/looks.js';
import { useConsoleText } from './texts.js';

export const ThreadLooks = ({ look: current }: { look: Look }) => {
  const t = useConsoleText();
  return (
    <nav className="tabs" aria-label={t('o.looks')}>
      {LOOKS.map((look) => (
        <a
          key={look}
          href={addressWith(window.location.pathname + window.location.search, { look: nameOfLook(look) })}
          aria-current={look === current ? 'page' : undefined}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            goTo({ look: nameOfLook(look) });
          }}
        >
          {t(`o.look.${look}`)}
        </a>
      ))}
    </nav>
  );
};
