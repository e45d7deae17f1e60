/** Puts back what somebody was not shown: a stand-in that comes back unchanged stands for the value it hid. */
import { memberOf } from '@triptych/protocol';
import { REDACTED } from './shape.js';

/** The value as its editor saw it, and as it is. */
export interface Hidden {
  readonly shown: unknown;
  readonly real: unknown;
}

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null;

/** Elements of a list that may not be seen are shown so, to keep the places of the others. */
const isEmpty = (value: unknown): boolean =>
  isMembers(value) && !Array.isArray(value) && Object.keys(value).length === 0;

const isStandIn = (edited: unknown, shown: unknown): boolean =>
  (edited === REDACTED && shown === REDACTED) || (isEmpty(edited) && isEmpty(shown));

/** APR-27, RUN-40: only where its editor was shown a stand-in; who writes one elsewhere means it. */
export const keepHidden = (edited: unknown, { shown, real }: Hidden): unknown => {
  if (isStandIn(edited, shown)) return real;
  if (!isMembers(edited)) return edited;
  const inside = (key: string, value: unknown): unknown =>
    keepHidden(value, { shown: memberOf(shown, key)?.value, real: memberOf(real, key)?.value });
  if (Array.isArray(edited)) return edited.map((value, index) => inside(String(index), value));
  return Object.fromEntries(Object.entries(edited).map(([key, value]) => [key, inside(key, value)]));
};
