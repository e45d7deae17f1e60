/** Makes ids that nobody else makes. */

const HEX = 16;
const BYTES = 16;

/** `randomUUID` exists in secure contexts only; a page served over plain HTTP on a local network is none. */
export const randomId = (): string => {
  const { crypto } = globalThis;
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return Array.from(bytes, (byte) => byte.toString(HEX).padStart(2, '0')).join('');
};
