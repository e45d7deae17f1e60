/** One conversation on three screens side by side; where there is room for fewer, tabs choose. */
import type { Surface } from '@triptych/protocol';
import { useState, type ReactNode } from 'react';
import { CustomerPage } from '../customer/customer-page.js';
import { Mark } from '../shared/marks.js';
import { OpenSurface } from '../shared/surface-root.js';
import { goTo } from '../shared/url-state.js';
import { OneDesk } from './one-desk.js';
import { OneThread } from './one-thread.js';
import { useDemoText } from './texts.js';

const PANELS: readonly (readonly [surface: Surface, page: ReactNode])[] = [
  ['customer', <CustomerPage key="customer" />],
  ['reviewer', <OneDesk key="reviewer" />],
  ['operator', <OneThread key="operator" />],
];

const NOTHING = {
  thread: undefined,
  task: undefined,
  queue: undefined,
  seq: undefined,
  at: undefined,
  look: undefined,
} as const;

const Tabs = ({ on, onPick }: { on: Surface; onPick: (surface: Surface) => void }) => {
  const t = useDemoText();
  return (
    <div className="dm-tabs" role="group" aria-label={t('d.screens')}>
      {PANELS.map(([surface]) => (
        <button
          type="button"
          key={surface}
          data-panel={surface}
          aria-pressed={surface === on}
          onClick={() => onPick(surface)}
        >
          {t(`d.${surface}`)}
        </button>
      ))}
    </div>
  );
};

export const DemoPage = () => {
  const t = useDemoText();
  const [on, setOn] = useState<Surface>('customer');
  return (
    <div className="dm" data-on={on}>
      <header className="dm-top">
        <h1>
          <Mark />
          {t('d.title')}
        </h1>
        <span className="sub">{t('d.sub')}</span>
        <span className="grow" />
        <button type="button" className="btn ghost" onClick={() => goTo(NOTHING)}>
          {t('d.again')}
        </button>
      </header>
      <Tabs on={on} onPick={setOn} />
      <div className="dm-panels">
        {PANELS.map(([surface, page]) => (
          <section key={surface} className="dm-panel" data-panel={surface} aria-label={t(`d.${surface}`)}>
            <h2>
              {t(`d.${surface}`)} <span>{t(`d.${surface}.does`)}</span>
            </h2>
            <OpenSurface surface={surface}>{page}</OpenSurface>
          </section>
        ))}
      </div>
    </div>
  );
};
