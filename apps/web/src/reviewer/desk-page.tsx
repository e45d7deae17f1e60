/** The review desk: queues, the list, the open task or several picked together. */
import { lazy, Suspense, useRef, useState, type RefObject } from 'react';
import { Icon } from '../shared/icon.js';
import { PaletteHost } from '../shared/palette/palette-host.js';
import { readableName } from '../shared/readable-name.js';
import { readStored, writeStored } from '../shared/stored.js';
import { goTo } from '../shared/url-state.js';
import { useNow } from '../shared/use-now.js';
import { useSharedText } from '../shared/use-shared-text.js';
import type { CLOSED_QUEUES, QueueName, QUEUES } from './core/desk-question.js';
import { KeysDialog } from './keys-dialog.js';
import { OpenTaskPane } from './open-task.js';
import { QueueNav } from './queue-nav.js';
import { TaskList } from './task-list.js';
import { useDeskText } from './texts.js';
import { useAskedTask } from './use-asked-task.js';
import { deskActs, useDesk, useEnter } from './use-desk.js';
import { useDeskKeys } from './use-desk-keys.js';
import { useDeskPalette } from './use-desk-palette.js';
import { useFacets } from './use-facets.js';
import type { KeyHolder } from './use-task-desk.js';

/** Few pick several: its code comes when someone does. */
const BulkPane = lazy(() => import('./bulk-pane.js').then((pane) => ({ default: pane.BulkPane })));

const LETTERS = 'triptych.keys';
const HALF_MINUTE = 30_000;

const useTitle = (name: QueueName): string => {
  const t = useDeskText();
  return name.startsWith('group:')
    ? readableName(name.slice('group:'.length))
    : t(`r.queue.${name as (typeof QUEUES | typeof CLOSED_QUEUES)[number]}`);
};

const useLetters = (): [boolean, (on: boolean) => void] => {
  const [on, setOn] = useState(() => readStored(LETTERS) !== false);
  return [
    on,
    (next) => {
      setOn(next);
      writeStored(LETTERS, next);
    },
  ];
};

/** An empty list speaks for itself. */
const Nothing = ({ empty }: { empty: boolean }) => {
  const t = useDeskText();
  return (
    <main className="rv-detail">
      {!empty && (
        <div className="emptyx">
          <Icon name="inbox" />
          <b>{t('r.pick')}</b>
        </div>
      )}
    </main>
  );
};

interface BesideProps {
  readonly own: ReturnType<typeof useDesk>;
  readonly keys: RefObject<KeyHolder | undefined>;
  readonly onBack: () => void;
  readonly onClear: () => void;
  readonly onShown: () => void;
}

/** What lies beside the list: several tasks picked together, the one that is open, or nothing. */
const Beside = ({ own, keys, onBack, onClear, onShown }: BesideProps) => {
  const now = useNow(HALF_MINUTE);
  const { selected, desk, picked, tasks, pager } = own;
  if (picked.length > 0)
    return (
      <Suspense fallback={<main className="rv-detail" />}>
        <BulkPane tasks={picked} {...{ now, keys, onBack, onClear }} onTask={desk.put} />
      </Suspense>
    );
  if (selected === undefined) return <Nothing empty={tasks.length === 0} />;
  return (
    <OpenTaskPane
      key={selected}
      taskId={selected}
      live={desk.queue.known.get(selected)}
      pager={pager}
      keys={keys}
      onTask={desk.put}
      onShown={onShown}
    />
  );
};

interface DeskProps {
  /** The conversation it stands next to, where it stands next to one. */
  readonly beside?: string | undefined;
}

const Desk = ({ beside }: DeskProps) => {
  const x = useSharedText();
  const own = useDesk();
  const { selected, question, desk, picks, picked, tasks, rowsRef } = own;
  const { pick, step, toggle, range } = own;
  useAskedTask({ thread: beside, known: desk.queue.known, selected });
  const title = useTitle(question.queue);
  const facets = useFacets(desk.counts);
  const [menu, setMenu] = useState(false);
  /** Where there is room for one of them only, the picked ones are in front of the list. */
  const [deciding, setDeciding] = useState(false);
  const [keysOpen, setKeysOpen] = useState(false);
  const [lettersOn, setLettersOn] = useLetters();
  const searchRef = useRef<HTMLInputElement>(null);
  const open = useRef<KeyHolder | undefined>(undefined);
  const openKeys = () => setKeysOpen(true);
  const { enter, arrived } = useEnter(selected, step);
  const act = deskActs({
    enter,
    step,
    toggle,
    range,
    showFresh: desk.showFresh,
    search: searchRef,
    openKeys,
    open,
  });
  useDeskKeys(act, lettersOn);
  const pickQueue = (next: QueueName) => {
    goTo({ queue: next === 'open' ? undefined : next });
    setMenu(false);
  };
  const groups = Object.keys(facets?.groups ?? {});
  useDeskPalette({ queue: desk.queue, groups, selected, open, act, onTask: pick, onQueue: pickQueue });
  const endPicking = () => {
    picks.end();
    setDeciding(false);
  };
  const inFront = picked.length > 0 ? deciding : selected !== undefined;
  return (
    <div className="surface">
      <a className="skip" href="#tasks">
        {x('x.skip')}
      </a>
      <div className="rv" data-view={inFront ? 'detail' : 'list'} data-menu={menu || undefined}>
        <QueueNav
          facets={facets}
          current={question.queue}
          onPick={pickQueue}
          onShut={() => setMenu(false)}
          onKeys={openKeys}
        />
        <TaskList
          {...{ title, desk, tasks, selected, question, facets, searchRef, rowsRef }}
          picks={{ ...picks, end: endPicking }}
          onPick={pick}
          onMenu={() => setMenu(true)}
          onKeys={openKeys}
          onDecide={() => setDeciding(true)}
        />
        <Beside
          own={own}
          keys={open}
          onBack={() => setDeciding(false)}
          onClear={endPicking}
          onShown={arrived}
        />
      </div>
      <KeysDialog
        open={keysOpen}
        lettersOn={lettersOn}
        onLetters={setLettersOn}
        onClose={() => setKeysOpen(false)}
      />
    </div>
  );
};

export const DeskPage = (props: DeskProps) => (
  <PaletteHost own=".rv">
    <Desk {...props} />
  </PaletteHost>
);
