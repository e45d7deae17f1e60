/** What the desk's palette offers: its tasks and queues, and what its keys do, where they would do it. */
import type { TaskView } from '@triptych/protocol';
import type { RefObject } from 'react';
import { headlineOf } from '../shared/headline.js';
import type { Page } from '../shared/hub-api.js';
import type { IconName } from '../shared/icon.js';
import { AT_FIRST, type PaletteEntry } from '../shared/palette/entries.js';
import { usePaletteSource } from '../shared/palette/palette-host.js';
import { nameOf } from '../shared/personas.js';
import { readableName } from '../shared/readable-name.js';
import { useSurface } from '../shared/surface-context.js';
import { useMe } from '../shared/who-am-i.js';
import type { DeskAct } from './core/desk-keys.js';
import { CLOSED_QUEUES, QUEUES, type QueueName } from './core/desk-question.js';
import type { Queue } from './core/queue.js';
import { holderOf } from './core/task-words.js';
import { useDeskText } from './texts.js';
import type { KeyHolder } from './use-task-desk.js';

/** What may be asked for of the hub at once. */
const FEW = 20;

/** By what lies in the place of the task: only while it would do it. */
const OF_TASK = [
  ['claim', 'G', 'user'],
  ['approve', 'A', 'check'],
  ['reject', 'R', 'x'],
  ['edit', 'E', 'pen'],
  ['comment', 'C', 'chat'],
  ['undo', 'Z', 'undo'],
] as const satisfies readonly (readonly [DeskAct, string, IconName])[];

const OF_DESK = [
  ['next', 'J', 'down', 'r.next'],
  ['previous', 'K', 'up', 'r.previous'],
  ['pick', 'X', 'list', 'r.palette.pick'],
  ['fresh', 'N', 'bell', 'r.palette.fresh'],
  ['search', '/', 'search', 'r.search.label'],
  ['keys', '?', 'sliders', 'r.keys'],
] as const satisfies readonly (readonly [DeskAct, string, IconName, string])[];

interface DeskPalette {
  readonly queue: Queue;
  readonly groups: readonly string[];
  readonly selected: string | undefined;
  readonly open: RefObject<KeyHolder | undefined>;
  readonly act: (act: DeskAct) => boolean;
  readonly onTask: (taskId: string) => void;
  readonly onQueue: (name: QueueName) => void;
}

const useTaskActs = ({ queue, selected, open, act }: DeskPalette) => {
  const t = useDeskText();
  const me = useMe();
  const task = selected === undefined ? undefined : queue.known.get(selected);
  const mine = task !== undefined && holderOf(task, me, Date.now()).kind === 'mine';
  const label = (name: (typeof OF_TASK)[number][0]): string => {
    if (name === 'claim') return t(mine ? 'r.release' : 'r.claim');
    if (name === 'undo') return t('r.undo.do');
    return t(name === 'edit' && !task?.may.includes('edit') ? 'r.respond' : `r.${name}`);
  };
  return (): readonly PaletteEntry[] =>
    OF_TASK.filter(([name]) => open.current?.can(name)).map(([name, keys, icon]) => ({
      group: t('r.palette.acts'),
      id: name,
      label: label(name),
      hint: task && headlineOf(task),
      ...{ keys, icon },
      run: () => void act(name),
    }));
};

export const useDeskPalette = (desk: DeskPalette): void => {
  const t = useDeskText();
  const { api } = useSurface();
  const taskActs = useTaskActs(desk);
  const { queue, groups, act, onTask, onQueue } = desk;
  const task = (each: TaskView): PaletteEntry => ({
    group: t('r.palette.tasks'),
    id: each.taskId,
    label: headlineOf(each),
    hint: `${nameOf(each.requester)} · ${each.threadId}`,
    icon: 'inbox',
    run: () => onTask(each.taskId),
  });
  const tasks = (text: string): readonly PaletteEntry[] =>
    [...queue.known.values()].slice(0, text === '' ? AT_FIRST : undefined).map(task);
  const queues = (): readonly PaletteEntry[] =>
    [...QUEUES, ...groups.map((group) => `group:${group}` as const), ...CLOSED_QUEUES].map((name) => ({
      group: t('r.queues'),
      id: name,
      label: name.startsWith('group:')
        ? readableName(name.slice('group:'.length))
        : t(`r.queue.${name as (typeof QUEUES | typeof CLOSED_QUEUES)[number]}`),
      icon: 'filter' as const,
      run: () => onQueue(name),
    }));
  const acts = (): readonly PaletteEntry[] =>
    OF_DESK.map(([name, keys, icon, label]) => ({
      group: t('r.palette.acts'),
      id: name,
      label: t(label),
      ...{ keys, icon },
      run: () => void act(name),
    }));
  usePaletteSource({
    here: (text) => [...taskActs(), ...tasks(text), ...queues(), ...acts()],
    find: async (text) => {
      const path = `/v1/approvals?q=${encodeURIComponent(text)}&limit=${FEW}`;
      const found = await api.get<Page<TaskView>>(path);
      return found.ok ? found.value.items.map(task) : [];
    },
  });
};
