/** Judges pushed events up to a run's end, the first fault, or as many as one write takes. */
import type { JudgeState } from '@triptych/protocol';
import { judgeBatch, type Fault } from './judge-batch.js';
import type { JudgedEvent } from './ports.js';
import type { PushItem } from './push-batch.js';
import { endingOf } from './run-end.js';

/** Pushed events in one write, and their characters; one is taken whatever its size. */
const MAX_ITEMS = 128;
const MAX_CHARS = 4 * 1024 * 1024;

export interface Portion {
  readonly state: JudgeState;
  readonly legal: readonly JudgedEvent[];
  /** Warnings of what nothing stands for in the log. */
  readonly loose: readonly string[];
  /** Items that `legal` stands for; the one at fault is not among them. */
  readonly taken: number;
  readonly fault?: Extract<Fault, { kind: 'illegal' }>;
}

/** A run that begins takes more than the judge's word: it is looked at anew. */
const mayBegin = ({ type }: PushItem): boolean => type === 'RUN_STARTED';

export const judgePortion = (before: JudgeState, items: readonly PushItem[]): Portion => {
  let state = before;
  let chars = 0;
  const legal: JudgedEvent[] = [];
  const loose: string[] = [];
  for (const [taken, item] of items.slice(0, MAX_ITEMS).entries()) {
    chars += item.text.length;
    if (taken > 0 && (mayBegin(item) || chars > MAX_CHARS)) return { state, legal, loose, taken };
    const judged = judgeBatch(state, [{ kind: 'event', text: item.text }]);
    state = judged.state;
    legal.push(...judged.legal);
    loose.push(...judged.loose);
    if (judged.fault?.kind === 'illegal') return { state, legal, loose, taken, fault: judged.fault };
    if (judged.legal.some(({ event }) => endingOf(event))) return { state, legal, loose, taken: taken + 1 };
  }
  return { state, legal, loose, taken: Math.min(items.length, MAX_ITEMS) };
};
