/** The review desk: queues, the list, the open task. */
import type { TaskView } from '@triptych/protocol';
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import { useAnnounce } from '../shared/announcer.js';
import { Icon } from '../shared/icon.js';
import { readableName } from '../shared/readable-name.js';
import { readStored, writeStored } from '../shared/stored.js';
import { goTo, useUrlParam } from '../shared/url-state.js';
import { useSharedText } from '../shared/use-shared-text.js';
import { useMe } from '../shared/who-am-i.js';
import type { DeskAct } from './core/desk-keys.js';
import { filtered, QUEUES, type QueueName } from './core/queue.js';
import { headlineOf } from '../shared/headline.js';
import { useDueWords } from './due-sign.js';
import { KeysDialog } from './keys-dialog.js';
import { OpenTaskPane } from './open-task.js';
import { QueueNav } from './queue-nav.js';
import { TaskList } from './task-list.js';
import { useDeskText } from './texts.js';
import { useDeskKeys } from './use-desk-keys.js';
import { useQueue } from './use-queue.js';
import type { Pager } from './task-detail.js';
import type { TaskDesk } from './use-task-desk.js';

const LETTERS = 'triptych.keys';

const queueNamed = (name: string | undefined): QueueName =>
  name !== undefined && (name.startsWith('group:') || (QUEUES as readonly string[]).includes(name))
    ? (name as QueueName)
    : 'open';

const useTitle = (name: QueueName): string => {
  const t = useDeskText();
  return name.startsWith('group:')
    ? readableName(name.slice('group:'.length))
    : t(`r.queue.${name as (typeof QUEUES)[number]}`);
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

interface Selection {
  readonly tasks: readonly TaskView[];
  readonly selected: string | undefined;
  readonly leave: (taskId: string | undefined) => void;
}

/** Moves the selection, says where it is, and lets go of what has left. */
const useMove = ({ tasks, selected, leave }: Selection) => {
  const t = useDeskText();
  const announce = useAnnounce();
  const dueWords = useDueWords();
  const pick = (taskId: string | undefined) => {
    if (taskId === selected) return;
    goTo({ task: taskId });
    leave(selected);
    const at = tasks.findIndex((task) => task.taskId === taskId);
    const task = tasks[at];
    if (task)
      announce(
        t('a.moved', {
          i: at + 1,
          n: tasks.length,
          title: headlineOf(task),
          due: dueWords(task, Date.now()),
        }),
      );
  };
  const step = (by: 1 | -1) => {
    const at = tasks.findIndex((task) => task.taskId === selected);
    const next = tasks[at < 0 ? 0 : Math.min(tasks.length - 1, Math.max(0, at + by))];
    if (next) pick(next.taskId);
  };
  return { pick, step };
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

/** Sends the form that is open, wherever the focus in it is. */
const sendOpenForm = (): boolean => {
  const form = document.querySelector<HTMLFormElement>('form[data-send]');
  form?.requestSubmit();
  return form !== null;
};

/** Into the task; with none picked, the first one is. */
const useEnter = (selected: string | undefined, step: (by: 1) => void) => {
  const wanted = useRef(false);
  const titled = (): boolean => {
    const title = document.getElementById('task-title');
    title?.focus();
    return title !== null;
  };
  useEffect(() => {
    wanted.current = false;
  }, [selected]);
  return {
    enter: () => {
      if (selected === undefined) step(1);
      else wanted.current = !titled();
    },
    /** The task is there now. */
    arrived: useCallback(() => {
      if (wanted.current) wanted.current = !titled();
    }, []),
  };
};

interface ActsOf {
  readonly enter: () => void;
  readonly step: (by: 1 | -1) => void;
  readonly showFresh: () => void;
  readonly search: RefObject<HTMLInputElement | null>;
  readonly openKeys: () => void;
  readonly open: RefObject<TaskDesk | undefined>;
}

/** What each key does on the desk; what the open task knows goes to it first. */
const deskActs =
  ({ enter, step, showFresh, search, openKeys, open }: ActsOf) =>
  (meant: DeskAct): boolean => {
    const own: Readonly<Partial<Record<DeskAct, () => void>>> = {
      next: () => step(1),
      previous: () => step(-1),
      open: enter,
      fresh: showFresh,
      search: () => search.current?.focus(),
      keys: openKeys,
      back: () => document.getElementById('tasks')?.focus(),
    };
    if (meant === 'send') return sendOpenForm();
    if (open.current?.onKey(meant)) return true;
    own[meant]?.();
    return own[meant] !== undefined;
  };

const useDesk = () => {
  const me = useMe();
  const selected = useUrlParam('task');
  const name = queueNamed(useUrlParam('queue'));
  const [search, setSearch] = useState('');
  const rowsRef = useRef<HTMLDivElement>(null);
  const desk = useQueue(selected, rowsRef);
  const tasks = filtered(desk.queue, { queue: name, text: search, me, now: desk.laidOutAt });
  const { pick, step } = useMove({ tasks, selected, leave: desk.leave });
  const at = tasks.findIndex((task) => task.taskId === selected);
  const pager: Pager = {
    at: at + 1,
    of: tasks.length,
    previous: () => step(-1),
    next: () => step(1),
    back: () => pick(undefined),
  };
  return { selected, name, search, setSearch, desk, tasks, rowsRef, pick, step, pager };
};

export const DeskPage = () => {
  const x = useSharedText();
  const { selected, name, search, setSearch, desk, tasks, rowsRef, pick, step, pager } = useDesk();
  const title = useTitle(name);
  const [menu, setMenu] = useState(false);
  const [keysOpen, setKeysOpen] = useState(false);
  const [lettersOn, setLettersOn] = useLetters();
  const searchRef = useRef<HTMLInputElement>(null);
  const open = useRef<TaskDesk | undefined>(undefined);
  const openKeys = () => setKeysOpen(true);
  const { enter, arrived } = useEnter(selected, step);
  useDeskKeys(
    deskActs({ enter, step, showFresh: desk.showFresh, search: searchRef, openKeys, open }),
    lettersOn,
  );
  const pickQueue = (next: QueueName) => {
    goTo({ queue: next === 'open' ? undefined : next }, 'replace');
    setMenu(false);
  };
  return (
    <div className="surface">
      <a className="skip" href="#tasks">
        {x('x.skip')}
      </a>
      <div
        className="rv"
        data-view={selected === undefined ? 'list' : 'detail'}
        data-menu={menu || undefined}
      >
        <QueueNav queue={desk.queue} current={name} onPick={pickQueue} onShut={() => setMenu(false)} />
        <TaskList
          {...{ title, desk, tasks, selected, search, searchRef, rowsRef }}
          onSearch={setSearch}
          onPick={pick}
          onMenu={() => setMenu(true)}
          onKeys={openKeys}
        />
        {selected === undefined ? (
          <Nothing empty={tasks.length === 0} />
        ) : (
          <OpenTaskPane
            key={selected}
            taskId={selected}
            live={desk.queue.known.get(selected)}
            pager={pager}
            keys={open}
            onTask={desk.put}
            onShown={arrived}
          />
        )}
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
