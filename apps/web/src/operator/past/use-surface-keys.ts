/** `1 2 3` look as customer, reviewer, operator, wherever on the console nothing is being written. */
import { useEffect } from 'react';
import { isElsewhere, isTyping } from '../../shared/own-keys.js';
import { goTo } from '../../shared/url-state.js';

const BY_KEY: Readonly<Record<string, string | undefined>> = {
  1: 'customer',
  2: 'reviewer',
  3: undefined,
};

export const useSurfaceKeys = (): void => {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(BY_KEY, event.key)) return;
      const target = event.target as HTMLElement;
      if (!isTyping(target) && !isElsewhere(target, '.op')) goTo({ as: BY_KEY[event.key] }, 'replace');
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, []);
};
