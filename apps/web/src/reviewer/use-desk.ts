/** The desk's state: the queue looked at, the task picked, several picked together, and how keys move among them. */
import type { TaskView } from '@triptych/protocol';
import { useCallback, useEffect, useMemo, useRef, type RefObject } from 'react';
import { useAnnounce } from '../shared/announcer.js';
import { headlineOf } from '../shared/headline.js';
import { goTo, useUrlParam, useUrlQuery } from '../shared/url-state.js';
import { between } from './core/bulk.js';
import type { DeskAct } from './core/desk-keys.js';
import { questionIn } from './core/desk-question.js';
import { tasksIn } from './core/queue.js';
import { useDueWords } from './due-sign.js';
import { useDeskText } from './texts.js';
import { usePicks } from './use-picks.js';
import { useQueue } from './use-queue.js';
import type { Pager } from './task-detail.js';
import type { KeyHolder } from './use-task-desk.js';

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

/** Into the task; with none picked, the first one is. */
export const useEnter = (selected: string | undefined, step: (by: 1) => void) => {
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

/** Sends the form that is written in; with the focus in none, the one that is open if it is the only one. */
const sendOpenForm = (): boolean => {
  const forms = [...document.querySelectorAll<HTMLFormElement>('form[data-send]')];
  const written = forms.find((form) => form.contains(document.activeElement));
  const form = written ?? (forms.length === 1 ? forms[0] : undefined);
  form?.requestSubmit();
  return form !== undefined;
};

interface ActsOf {
  readonly enter: () => void;
  readonly step: (by: 1 | -1) => void;
  readonly toggle: () => void;
  readonly range: () => void;
  readonly showFresh: () => void;
  readonly search: RefObject<HTMLInputElement | null>;
  readonly openKeys: () => void;
  readonly open: RefObject<KeyHolder | undefined>;
}

/** What each key does on the desk; what lies in the place of the task hears it first. */
export const deskActs =
  ({ enter, step, toggle, range, showFresh, search, openKeys, open }: ActsOf) =>
  (meant: DeskAct): boolean => {
    const own: Readonly<Partial<Record<DeskAct, () => void>>> = {
      next: () => step(1),
      previous: () => step(-1),
      open: enter,
      pick: toggle,
      range,
      fresh: showFresh,
      search: () => search.current?.focus(),
      keys: openKeys,
      back: () => document.getElementById('tasks')?.focus(),
    };
    if (meant === 'send') return sendOpenForm();
    const leavesSearch = meant === 'back' && document.activeElement === search.current;
    if (!leavesSearch && open.current?.onKey(meant)) return true;
    own[meant]?.();
    return own[meant] !== undefined;
  };

export const useDesk = () => {
  const selected = useUrlParam('task');
  const query = useUrlQuery();
  const question = useMemo(() => questionIn(query), [query]);
  const rowsRef = useRef<HTMLDivElement>(null);
  const picks = usePicks();
  const desk = useQueue({
    question,
    inHand: { selected, picked: picks.ids, picking: picks.picking },
    list: rowsRef,
  });
  const picked = [...picks.ids].flatMap((id) => desk.queue.known.get(id) ?? []);
  const tasks = tasksIn(desk.queue);
  const leave = (taskId: string | undefined) => {
    if (taskId === undefined || !picks.ids.has(taskId)) desk.leave(taskId);
  };
  const { pick, step } = useMove({ tasks, selected, leave });
  const at = tasks.findIndex((task) => task.taskId === selected);
  const pager: Pager = {
    at: at + 1,
    of: tasks.length,
    previous: () => step(-1),
    next: () => step(1),
    back: () => pick(undefined),
  };
  /** With no task open the first one is, so that the next press says which is meant. */
  const toggle = () => (selected === undefined ? step(1) : picks.toggle(selected));
  /** From the one picked last to the one that is open. */
  const range = () => {
    const ids = tasks.map(({ taskId }) => taskId);
    if (selected !== undefined) picks.add(between(ids, [...picks.ids].at(-1), selected));
  };
  const endPicking = () => {
    for (const taskId of picks.ids) if (taskId !== selected) desk.leave(taskId);
    picks.end();
  };
  return {
    ...{ selected, question, desk, tasks, rowsRef, pick, step, toggle, range, pager },
    ...{ picks: { ...picks, end: endPicking }, picked },
  };
};
