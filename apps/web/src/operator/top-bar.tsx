/** The console's bar: its pages, who looks, in which language. */
import { Icon } from '../shared/icon.js';
import { Mark } from '../shared/marks.js';
import { PaletteButton } from '../shared/palette/palette-host.js';
import { useSurface } from '../shared/surface-context.js';
import { PlaceLink } from '../shared/place-link.js';
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
        <PlaceLink
          key={place}
          there={{ view: nameOfPlace(place) }}
          current={place === current && 'page'}
          onWent={onPicked}
        >
          {t(`o.place.${place}`)}
          {!!waiting[place] && <span className="pip">{formats.number(waiting[place])}</span>}
        </PlaceLink>
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
        <PaletteButton hint={t('o.goto.all')} />
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
