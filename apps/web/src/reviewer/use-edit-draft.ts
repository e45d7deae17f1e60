/** The edit of a proposal, kept on this device with what it was made from. */
import type { TaskView } from '@triptych/protocol';
import { useState } from 'react';
import { readStored, writeStored } from '../shared/stored.js';
import { useSurface } from '../shared/surface-context.js';

interface Kept {
  /** What it was made from. */
  readonly base: unknown;
  readonly value: unknown;
}

const isKept = (kept: unknown): kept is Kept =>
  typeof kept === 'object' && kept !== null && 'base' in kept && 'value' in kept;

export interface EditDraft extends Kept {
  readonly setValue: (value: unknown) => void;
  /** What it is made from is another now. */
  readonly rebase: (base: unknown, value: unknown) => void;
}

/** A draft is kept with what it was made from: where that is another now, its author is asked what stays. */
export const useEditDraft = (task: TaskView, base: unknown, initial: unknown): EditDraft => {
  const { me } = useSurface();
  const key = `triptych.edit.${me.sub}.${task.taskId}`;
  const [draft, setDraft] = useState<Kept>(() => {
    const kept = readStored(key);
    return isKept(kept) ? kept : { base, value: initial };
  });
  const keep = (next: Kept) => {
    setDraft(next);
    writeStored(key, next.value === undefined ? undefined : next);
  };
  return {
    ...draft,
    setValue: (value) => keep({ base: draft.base, value }),
    rebase: (from, value) => keep({ base: from, value }),
  };
};
