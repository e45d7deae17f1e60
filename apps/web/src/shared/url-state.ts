/** Keeps what is looked at in the address, so that a reload or a shared link lands on the same place. */
import { useSyncExternalStore } from 'react';

const CHANGED = 'triptych:url';

const subscribe = (changed: () => void): (() => void) => {
  window.addEventListener('popstate', changed);
  window.addEventListener(CHANGED, changed);
  return () => {
    window.removeEventListener('popstate', changed);
    window.removeEventListener(CHANGED, changed);
  };
};

/** The address with these parameters changed; `undefined` removes one. */
export const addressWith = (
  address: string,
  changes: Readonly<Record<string, string | undefined>>,
): string => {
  const [path = '', query = ''] = address.split('?', 2);
  const params = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) params.delete(name);
    else params.set(name, value);
  }
  const rest = params.toString();
  return rest === '' ? path : `${path}?${rest}`;
};

/** `push` for another place, `replace` for another detail of the same place. */
export const goTo = (
  changes: Readonly<Record<string, string | undefined>>,
  how: 'push' | 'replace' = 'push',
): void => {
  const next = addressWith(window.location.pathname + window.location.search, changes);
  if (how === 'push') window.history.pushState(null, '', next);
  else window.history.replaceState(null, '', next);
  window.dispatchEvent(new Event(CHANGED));
};

export const useUrlParam = (name: string): string | undefined =>
  useSyncExternalStore(subscribe, () => new URLSearchParams(window.location.search).get(name) ?? undefined);

/** All that the address holds, as text that changes when it does. */
export const useUrlQuery = (): string => useSyncExternalStore(subscribe, () => window.location.search);
