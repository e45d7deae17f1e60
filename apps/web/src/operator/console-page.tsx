/** The operator's console: threads, the raw log of one, and each event taken apart. */
import type { ThreadSummary } from '@triptych/protocol';
import { lazy, Suspense, useEffect, useRef, useState, type RefObject } from 'react';
import { Icon } from '../shared/icon.js';
import { PaletteHost } from '../shared/palette/palette-host.js';
import { readableName } from '../shared/readable-name.js';
import { goTo, useUrlParam } from '../shared/url-state.js';
import { useSharedText } from '../shared/use-shared-text.js';
import { BatchesPage } from './batches/batches-page.js';
import { useBatches } from './batches/use-batches.js';
import { firstLook } from './core/first-look.js';
import { placeNamed } from './core/places.js';
import { HealthPage } from './health/health-page.js';
import { useConsolePalette } from './palette/use-console-palette.js';
import { ThreadList } from './thread-list.js';
import { ThreadLog } from './thread-log.js';
import { useConsoleText } from './texts.js';
import { TopBar } from './top-bar.js';
import { useThreadTitles } from './use-thread-titles.js';
import { useThreads } from './use-threads.js';

/** Few read it: its code comes when it is opened. */
const TrailPage = lazy(() =>
  import('./trail/trail-page.js').then(({ TrailPage: page }) => ({ default: page })),
);

const NO_THREADS: readonly ThreadSummary[] = [];

const Nothing = ({ threads }: { threads: readonly ThreadSummary[] | undefined }) => {
  const t = useConsoleText();
  return (
    <main className="op-main" id="main">
      {threads && (
        <div className="emptyx">
          <Icon name="list" />
          <b>{t(threads.length === 0 ? 'o.threads.none' : 'o.pick')}</b>
        </div>
      )}
    </main>
  );
};

/** Shown once, and the address then names it: a newer thread changes nothing under the reader. */
const useFirstLook = (
  surface: RefObject<HTMLElement | null>,
  current: string | undefined,
  newest: string | undefined,
): void => {
  const looked = useRef(false);
  useEffect(() => {
    looked.current ||= current !== undefined;
    const thread = firstLook({ looked: looked.current, newest, width: surface.current?.clientWidth ?? 0 });
    if (thread !== undefined) goTo({ thread }, 'replace');
  }, [surface, current, newest]);
};

interface ThreadsProps {
  readonly threads: readonly ThreadSummary[] | undefined;
  readonly titleOf: (thread: ThreadSummary) => string;
  readonly current: string | undefined;
  readonly onPicked: () => void;
}

const Threads = ({ threads, titleOf, current, onPicked }: ThreadsProps) => {
  const thread = threads?.find((each) => each.threadId === current);
  return (
    <div className="op-body">
      <ThreadList {...{ threads, titleOf, current, onPicked }} />
      {current === undefined ? (
        <Nothing threads={threads} />
      ) : (
        <ThreadLog
          key={current}
          threadId={current}
          thread={thread}
          title={thread === undefined ? current : titleOf(thread)}
        />
      )}
    </div>
  );
};

const Console = () => {
  const x = useSharedText();
  const threads = useThreads();
  const batches = useBatches();
  const place = placeNamed(useUrlParam('view'));
  const current = useUrlParam('thread');
  const [menu, setMenu] = useState(false);
  const surface = useRef<HTMLDivElement>(null);
  useFirstLook(surface, current, place === 'threads' ? threads?.[0]?.threadId : undefined);
  const stuck = batches.fetched.state === 'there' ? batches.fetched.value.items.length : 0;
  const shut = () => setMenu(false);
  const titles = useThreadTitles(threads ?? NO_THREADS);
  const titleOf = (thread: ThreadSummary) => titles.get(thread.threadId) ?? readableName(thread.agentId);
  useConsolePalette(threads ?? NO_THREADS, titleOf);
  return (
    <div className="surface" ref={surface}>
      <a className="skip" href="#main">
        {x('x.skip')}
      </a>
      <div className="op" data-place={place} data-menu={menu || current === undefined || undefined}>
        <TopBar
          onMenu={() => setMenu(!menu)}
          {...{ menu, place }}
          waiting={{ batches: stuck }}
          onPicked={shut}
        />
        {place === 'threads' && <Threads {...{ threads, titleOf, current }} onPicked={shut} />}
        {place === 'batches' && <BatchesPage batches={batches} />}
        {place === 'health' && <HealthPage threads={threads ?? NO_THREADS} />}
        {place === 'trail' && (
          <Suspense fallback={<main className="op-page" id="main" />}>
            <TrailPage />
          </Suspense>
        )}
      </div>
    </div>
  );
};

export const ConsolePage = () => (
  <PaletteHost own=".op">
    <Console />
  </PaletteHost>
);
