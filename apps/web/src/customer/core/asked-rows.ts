/** What a call asks for, in rows: as far as the customer may see it. */
import { valueRows, type ValueRow } from '../../reviewer/core/values.js';
import type { HeldCall } from './turns.js';

/** More would be a form, not a reminder. */
const MAX_ROWS = 8;

/** A sum names its currency already. */
export const askedRows = (calls: readonly Pick<HeldCall, 'args'>[]): readonly ValueRow[] =>
  calls
    .flatMap(({ args }) => {
      const rows = valueRows(args, undefined) ?? [];
      const hasSum = rows.some(({ value }) => value.kind === 'money');
      return rows.filter(({ key, value }) => value.kind !== 'nothing' && !(hasSum && key === 'currency'));
    })
    .slice(0, MAX_ROWS);

const GROUP = 4;

/** In groups that can be read aloud: `4980 3D09`. */
export const spokenRef = (ref: string): string =>
  /^[\da-f]{8}$/i.test(ref) ? `${ref.slice(0, GROUP)}\u00A0${ref.slice(GROUP)}`.toUpperCase() : ref;
