/** The console's bar: its pages, who looks, in which language. */
import { Icon } from '../shared/icon.js';
import { Mark } from '../shared/marks.js';
import { useSurface } from '../shared/surface-context.js';
import { addressWith, goTo } from '../shared/url-state.js';
import { LanguageSwitch, WhoAmI } from '../shared/who-am-i.js';
import { nameOfPlace, PLACES, type Place } from './core/places.js';
import { useConsoleText } from './texts.js';

interface PlacesProps {
  readonly place: Place;
  /** How much there asks for a person. */
  readonly waiting: Readonly<Partial<Record<Place, number>>>;
  readonly onPicked: () => void;
}

const Places = ({ place: current, waiting, onPicked }: PlacesProps) => {
  const t = useConsoleText();
  const { formats } = useSurface();
  return (
    <nav aria-label={t('o.places')}>
      {PLACES.map((place) => (
        <a
          key={place}
          href={addressWith(window.location.pathname + window.location.search, { view: nameOfPlace(place) })}
          aria-current={place === current ? 'page' : undefined}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            goTo({ view: nameOfPlace(place) });
            onPicked();
          }}
        >
          {t(`o.place.${place}`)}
          {!!waiting[place] && <span className="pip">{formats.number(waiting[place])}</span>}
        </a>
      ))}
    </nav>
  );
};

export const TopBar = ({ onMenu, menu, ...places }: { onMenu: () => void; menu: boolean } & PlacesProps) => {
  const t = useConsoleText();
  return (
    <header className="op-top">
      {places.place === 'threads' && (
        <button
          type="button"
          className="btn ghost sm icon only-narrow keep"
          aria-label={t('o.menu')}
          aria-expanded={menu}
          onClick={onMenu}
        >
          <Icon name={menu ? 'x' : 'menu'} />
        </button>
      )}
      <span className="op-brand">
        <Mark />
        {t('o.brand')}
      </span>
      <Places {...places} />
      <div className="right">
        <span className="keep who">
          <WhoAmI />
        </span>
        <span className="keep">
          <LanguageSwitch />
        </span>
      </div>
    </header>
  );
};
