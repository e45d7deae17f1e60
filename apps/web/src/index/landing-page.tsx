/** The first page: what there is, and where to click. */
import { Icon, type IconName } from '../shared/icon.js';
import { switchLanguage, useLanguage } from '../shared/language.js';
import { Mark } from '../shared/marks.js';
import { useSharedText } from '../shared/use-shared-text.js';
import { useLandingText } from './texts.js';

const SURFACES = [
  { name: 'demo', icon: 'columns' },
  { name: 'customer', icon: 'chat' },
  { name: 'reviewer', icon: 'scale' },
  { name: 'operator', icon: 'list' },
] as const satisfies readonly { name: string; icon: IconName }[];

const STEPS = ['i.try.1', 'i.try.2', 'i.try.3', 'i.try.4', 'i.try.5', 'i.try.6'] as const;

const Language = () => {
  const x = useSharedText();
  const language = useLanguage();
  return (
    <button
      type="button"
      className="btn ghost sm"
      onClick={() => switchLanguage(language === 'zh' ? 'en' : 'zh')}
    >
      {x('x.language')}
    </button>
  );
};

export const LandingPage = () => {
  const t = useLandingText();
  return (
    <div className="land">
      <header>
        <p className="brand">
          <Mark />
          Triptych
        </p>
        <Language />
      </header>
      <main>
        <h1>{t('i.title')}</h1>
        <p className="lead">{t('i.lead')}</p>
        <ul className="doors">
          {SURFACES.map(({ name, icon }) => (
            <li key={name}>
              <a href={`/${name}`}>
                <Icon name={icon} />
                <span>
                  <b>{t(`i.${name}`)}</b>
                  <span>{t(`i.${name}.what`)}</span>
                </span>
                <Icon name="right" />
              </a>
            </li>
          ))}
        </ul>
        <section aria-labelledby="try">
          <h2 id="try">{t('i.try')}</h2>
          <ol>
            {STEPS.map((step) => (
              <li key={step}>{t(step)}</li>
            ))}
          </ol>
        </section>
      </main>
    </div>
  );
};
