/** Small things kept on this device; a full or forbidden storage loses them, never the page. */

export const readStored = (key: string): unknown => {
  try {
    const text = window.localStorage.getItem(key);
    return text === null ? undefined : (JSON.parse(text) as unknown);
  } catch {
    // Not ours, or storage is switched off: as if nothing had been kept.
    return undefined;
  }
};

export const writeStored = (key: string, value: unknown): void => {
  try {
    if (value === undefined || value === '') window.localStorage.removeItem(key);
    else window.localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage is full or off: the page goes on without memory.
  }
};
