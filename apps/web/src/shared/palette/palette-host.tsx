/** Opens the palette with Ctrl K over the surface that has the focus; what it offers comes from whoever is on screen. */
import {
  createContext,
  lazy,
  Suspense,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { Icon } from '../icon.js';
import { isElsewhere } from '../own-keys.js';
import type { PaletteSource } from './entries.js';

interface Host {
  readonly sources: Set<{ readonly current: PaletteSource }>;
  readonly open: () => void;
}

const HostContext = createContext<Host | undefined>(undefined);

const PaletteDialog = lazy(() =>
  import('./palette-dialog.js').then(({ PaletteDialog: dialog }) => ({ default: dialog })),
);

/** Offered as long as whoever offers it is on screen. */
export const usePaletteSource = (source: PaletteSource): void => {
  const host = useContext(HostContext);
  const latest = useRef(source);
  latest.current = source;
  useEffect(() => {
    host?.sources.add(latest);
    return () => void host?.sources.delete(latest);
  }, [host]);
};

const isPaletteKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey && !shiftKey;

/** `own`: what only this surface holds. */
export const PaletteHost = ({ own, children }: { own: string; children: ReactNode }) => {
  const [opened, setOpened] = useState(false);
  const host = useMemo<Host>(() => ({ sources: new Set(), open: () => setOpened(true) }), []);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (!isPaletteKey(event) || isElsewhere(event.target as HTMLElement, own)) return;
      event.preventDefault();
      setOpened((old) => !old);
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, [own]);
  return (
    <HostContext value={host}>
      {children}
      {opened && (
        <Suspense fallback={null}>
          <PaletteDialog sources={host.sources} onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </HostContext>
  );
};

/** For the pointer, and to tell of the key. */
export const PaletteButton = ({ hint }: { hint: string }) => {
  const host = useContext(HostContext);
  return (
    <button type="button" className="pal-open" aria-keyshortcuts="Control+K Meta+K" onClick={host?.open}>
      <Icon name="search" />
      <span className="cut">{hint}</span>
      <kbd aria-hidden="true">Ctrl K</kbd>
    </button>
  );
};
