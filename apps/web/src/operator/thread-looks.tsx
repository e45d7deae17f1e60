/** The ways to look at one thread, as tabs under its head. */
import { PlaceLink } from '../shared/place-link.js';
import { LOOKS, nameOfLook, type Look } from './core/looks.js';
import { useConsoleText } from './texts.js';

export const ThreadLooks = ({ look: current }: { look: Look }) => {
  const t = useConsoleText();
  return (
    <nav className="tabs" aria-label={t('o.looks')}>
      {LOOKS.map((look) => (
        <PlaceLink key={look} there={{ look: nameOfLook(look) }} current={look === current && 'page'}>
          {t(`o.look.${look}`)}
        </PlaceLink>
      ))}
    </nav>
  );
};
