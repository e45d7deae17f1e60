/** What can be gone to from anywhere in the console: its pages, threads and tasks, here or asked of the hub. */
import type { TaskView, ThreadSummary } from '@triptych/protocol';
import { headlineOf } from '../../shared/headline.js';
import type { Page } from '../../shared/hub-api.js';
import { switchLanguage, useLanguage } from '../../shared/language.js';
import { AT_FIRST, type PaletteEntry } from '../../shared/palette/entries.js';
import { usePaletteSource } from '../../shared/palette/palette-host.js';
import { nameOf } from '../../shared/personas.js';
import { useSurface } from '../../shared/surface-context.js';
import { goTo } from '../../shared/url-state.js';
import { asksFor, placeOfTask, placeOfThread, type Ask } from '../core/palette-finds.js';
import { nameOfPlace, PLACES } from '../core/places.js';
import { useConsoleText } from '../texts.js';
import { useConsolePaletteText } from './texts.js';

type TitleOf = (thread: ThreadSummary) => string;

const useEntries = (titleOf: TitleOf) => {
  const t = useConsolePaletteText();
  const thread = (each: ThreadSummary): PaletteEntry => ({
    group: t('p.threads'),
    id: each.threadId,
    label: titleOf(each),
    hint: `${nameOf(each.owner)} · ${each.agentId} · ${each.threadId}`,
    icon: 'chat',
    run: () => goTo(placeOfThread(each)),
  });
  const task = (each: TaskView): PaletteEntry => ({
    group: t('p.tasks'),
    id: each.taskId,
    label: headlineOf(each),
    hint: `${nameOf(each.requester)} · ${each.threadId}`,
    icon: 'inbox',
    run: () => goTo(placeOfTask(each)),
  });
  return { thread, task };
};

export const useConsolePalette = (threads: readonly ThreadSummary[], titleOf: TitleOf): void => {
  const c = useConsoleText();
  const t = useConsolePaletteText();
  const { api } = useSurface();
  const language = useLanguage();
  const { thread, task } = useEntries(titleOf);
  const ask = async ({ of, path }: Ask): Promise<readonly PaletteEntry[]> => {
    if (of === 'task') {
      const found = await api.get<TaskView>(path);
      return found.ok ? [task(found.value)] : [];
    }
    const found = await api.get<Page<ThreadSummary & TaskView>>(path);
    return found.ok ? found.value.items.map(of === 'threads' ? thread : task) : [];
  };
  usePaletteSource({
    here: (text) => [
      ...(text === '' ? threads.slice(0, AT_FIRST) : threads).map(thread),
      ...PLACES.map((place): PaletteEntry => ({
        group: t('p.places'),
        id: place,
        label: c(`o.place.${place}`),
        icon: 'right',
        run: () => goTo({ view: nameOfPlace(place) }),
      })),
      {
        group: t('p.acts'),
        id: 'language',
        label: t('p.language'),
        icon: 'swap',
        run: () => switchLanguage(language === 'zh' ? 'en' : 'zh'),
      },
    ],
    find: async (text) => (await Promise.all(asksFor(text).map(ask))).flat(),
  });
};
