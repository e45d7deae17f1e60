/** Puts back what an editor was not shown: a mark that comes back unchanged stands for the value it hid. */
import { REDACTED } from '@triptych/access';

/** The arguments as their editor saw them, and as they are. */
export interface Hidden {
  readonly shown: unknown;
  readonly real: unknown;
}

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null;
const memberOf = (value: unknown, key: string): unknown =>
  isMembers(value) && Object.hasOwn(value, key) ? value[key] : undefined;

/** APR-27: only where the editor was shown the mark; who writes the mark elsewhere means its letters. */
export const keepHidden = (edited: unknown, { shown, real }: Hidden): unknown => {
  if (edited === REDACTED && shown === REDACTED) return real;
  if (!isMembers(edited)) return edited;
  const inside = (key: string, value: unknown): unknown =>
    keepHidden(value, { shown: memberOf(shown, key), real: memberOf(real, key) });
  if (Array.isArray(edited)) return edited.map((value, index) => inside(String(index), value));
  return Object.fromEntries(Object.entries(edited).map(([key, value]) => [key, inside(key, value)]));
};
