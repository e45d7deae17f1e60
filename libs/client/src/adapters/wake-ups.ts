/** Hears when a page comes back: online again, shown again, or out of the browser's cache. */

/** The parts of a browser's globals that are needed; other platforms lack them and are never told. */
interface Platform {
  readonly addEventListener?: (name: string, heard: () => void) => void;
  readonly removeEventListener?: (name: string, heard: () => void) => void;
  readonly document?: {
    readonly visibilityState: string;
    addEventListener(name: string, heard: () => void): void;
    removeEventListener(name: string, heard: () => void): void;
  };
}

/** Timers of hidden pages and sleeping machines run late: what they would have noticed is looked at now. */
export const onWake = (wake: () => void, platform: Platform = globalThis as Platform): (() => void) => {
  const { document } = platform;
  const shown = (): void => {
    if (document?.visibilityState === 'visible') wake();
  };
  platform.addEventListener?.('online', wake);
  platform.addEventListener?.('pageshow', wake);
  document?.addEventListener('visibilitychange', shown);
  return () => {
    platform.removeEventListener?.('online', wake);
    platform.removeEventListener?.('pageshow', wake);
    document?.removeEventListener('visibilitychange', shown);
  };
};
