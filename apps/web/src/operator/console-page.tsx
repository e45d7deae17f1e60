/** The operator's console: threads, the raw log of one, and each event taken apart. */
import { useState } from 'react';
import { Icon } from '../shared/icon.js';
import { Mark } from '../shared/marks.js';
import { useUrlParam } from '../shared/url-state.js';
import { useSharedText } from '../shared/use-shared-text.js';
import { LanguageSwitch, WhoAmI } from '../shared/who-am-i.js';
import { ThreadList } from './thread-list.js';
import { ThreadLog } from './thread-log.js';
import { useConsoleText } from './texts.js';
import { useThreads } from './use-threads.js';

const TopBar = ({ onMenu, menu }: { onMenu: () => void; menu: boolean }) => {
  const t = useConsoleText();
  return (
    <header className="op-top">
      <button
        type="button"
        className="btn ghost sm icon only-narrow keep"
        aria-label={t('o.menu')}
        aria-expanded={menu}
        onClick={onMenu}
      >
        <Icon name={menu ? 'x' : 'menu'} />
      </button>
      <span className="op-brand">
        <Mark />
        {t('o.brand')}
      </span>
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

const Nothing = () => {
  const t = useConsoleText();
  return (
    <main className="op-main" id="main">
      <div className="emptyx">
        <Icon name="list" />
        <b>{t('o.pick')}</b>
      </div>
    </main>
  );
};

export const ConsolePage = () => {
  const x = useSharedText();
  const threads = useThreads();
  const current = useUrlParam('thread');
  const seq = useUrlParam('seq');
  const [menu, setMenu] = useState(false);
  return (
    <div className="surface">
      <a className="skip" href="#main">
        {x('x.skip')}
      </a>
      <div className="op" data-menu={menu || current === undefined || undefined}>
        <TopBar onMenu={() => setMenu(!menu)} menu={menu} />
        <div className={seq === undefined ? 'op-body two' : 'op-body'}>
          <ThreadList threads={threads} current={current} onPicked={() => setMenu(false)} />
          {current === undefined ? (
            <Nothing />
          ) : (
            <ThreadLog
              key={current}
              threadId={current}
              thread={threads.find((thread) => thread.threadId === current)}
            />
          )}
        </div>
      </div>
    </div>
  );
};
