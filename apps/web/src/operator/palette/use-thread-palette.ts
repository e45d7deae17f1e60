/** What the open thread adds: its looks, runs and events, and what can be done with its log. */
import type { PaletteEntry } from '../../shared/palette/entries.js';
import { usePaletteSource } from '../../shared/palette/palette-host.js';
import { useSurface } from '../../shared/surface-context.js';
import { goTo } from '../../shared/url-state.js';
import type { LogBook } from '../core/log-book.js';
import { LOOKS, nameOfLook } from '../core/looks.js';
import { eventNamed } from '../core/palette-finds.js';
import { useConsoleText } from '../texts.js';
import type { LogView } from '../use-log-view.js';
import { useConsolePaletteText } from './texts.js';

interface ThreadPalette {
  readonly book: LogBook;
  readonly head: number;
  readonly view: LogView;
  readonly past: boolean;
  readonly onEvent: (seq: number) => void;
  readonly onLive: () => void;
}

export const useThreadPalette = ({ book, head, view, past, onEvent, onLive }: ThreadPalette): void => {
  const c = useConsoleText();
  const t = useConsolePaletteText();
  const { formats } = useSurface();
  const show = (seq: number) => {
    goTo({ look: undefined });
    onEvent(seq);
  };
  const looks = (): readonly PaletteEntry[] =>
    LOOKS.map((look) => ({
      group: t('p.looks'),
      id: look,
      label: c(`o.look.${look}`),
      icon: 'eye',
      run: () => goTo({ look: nameOfLook(look) }),
    }));
  const runs = (): readonly PaletteEntry[] =>
    book.stored.flatMap(({ seq, event: { type, runId } }) =>
      type === 'RUN_STARTED' && typeof runId === 'string'
        ? [
            {
              group: t('p.runs'),
              id: runId,
              label: t('p.run', { id: runId }),
              icon: 'branch',
              run: () => show(seq),
            },
          ]
        : [],
    );
  const events = (text: string): readonly PaletteEntry[] => {
    const seq = eventNamed(text);
    if (seq === undefined || seq < book.firstSeq || seq > head) return [];
    // What was written is its id, so that it is found however it was written.
    return [
      {
        group: t('p.events'),
        id: text.trim(),
        label: t('p.event', { n: formats.number(seq) }),
        icon: 'target',
        run: () => show(seq),
      },
    ];
  };
  const acts = (): readonly PaletteEntry[] => [
    {
      group: t('p.acts'),
      id: 'pause',
      label: c(view.paused ? 'o.follow' : 'o.pause'),
      keys: '␣',
      icon: view.paused ? 'play' : 'pause',
      run: () => view.setPaused(!view.paused),
    },
    ...(past
      ? [{ group: t('p.acts'), id: 'live', label: t('p.live'), icon: 'play' as const, run: onLive }]
      : []),
  ];
  usePaletteSource({ here: (text) => [...events(text), ...looks(), ...runs(), ...acts()] });
};
