/** Everything the open task needs: its mode, the note being written, and the acts. */
import type { TaskView } from '@triptych/protocol';
import { useEffect, useState } from 'react';
import { prefetchForms } from '../shared/forms/lazy-schema-form.js';
import { useDraft } from '../shared/use-draft.js';
import { useMe } from '../shared/who-am-i.js';
import { currentArgs } from './core/current.js';
import { fateOf } from './core/fate.js';
import { isWeighty } from './core/stake.js';
import { holderOf } from './core/task-words.js';
import type { DeskAct } from './core/desk-keys.js';
import type { Acts } from './use-acts.js';
import { useHeartbeat } from './use-heartbeat.js';

export type DeskMode =
  'look' | 'confirm' | 'reject' | 'comment' | 'takeover' | 'edit' | 'confirm-edit' | 'respond';

/** The form has the place of the task. */
export const isEditing = (mode: DeskMode): boolean =>
  mode === 'edit' || mode === 'confirm-edit' || mode === 'respond';

/** What lies in the place of the task and hears the desk's keys first. */
export interface KeyHolder {
  /** True when the act meant something here. */
  readonly onKey: (act: DeskAct) => boolean;
  /** Whether it would. */
  readonly can: (act: DeskAct) => boolean;
}

export interface TaskDesk extends KeyHolder {
  readonly task: TaskView;
  readonly acts: Acts;
  readonly mode: DeskMode;
  readonly setMode: (mode: DeskMode) => void;
  /** Back from the question to the form, with what was refused still told. */
  readonly resumeEdit: () => void;
  readonly note: string;
  readonly setNote: (text: string) => void;
  readonly approve: () => void;
  readonly sendApproval: () => void;
  readonly sendRejection: () => void;
  readonly sendTakeover: () => void;
  readonly postNote: () => void;
  readonly onNext: () => void;
}

interface TaskDeskOf {
  readonly task: TaskView;
  readonly acts: Acts;
  readonly onNext: () => void;
}

export const useTaskDesk = ({ task, acts, onNext }: TaskDeskOf): TaskDesk => {
  const me = useMe();
  const [mode, setModeNow] = useState<DeskMode>('look');
  const [note, setNote] = useDraft(`task.${task.taskId}`);
  const holder = holderOf(task, me, Date.now());
  const mine = holder.kind === 'mine';
  useHeartbeat(task.taskId, mine);
  useEffect(() => {
    if (mine) prefetchForms();
  }, [mine]);

  const setMode = (next: DeskMode) => {
    // Opening claims nothing; the first act does.
    const starts = next === 'edit' || next === 'reject' || next === 'respond';
    if (starts && holder.kind === 'free' && task.may.includes('claim')) void acts.claim();
    acts.dismiss();
    setModeNow(next);
  };
  const after = (done: Promise<boolean>, clear: boolean) => {
    void done.then((ok) => {
      if (!ok) return;
      if (clear) setNote('');
      setModeNow('look');
    });
  };
  const sendApproval = () => after(acts.decide({ verb: 'approve' }), false);
  const approve = () => (isWeighty(task, currentArgs(task)) ? setMode('confirm') : sendApproval());
  const may = (action: TaskView['may'][number]) => task.may.includes(action);
  const open = (next: DeskMode) => () => setMode(next);
  const keys: Readonly<Partial<Record<DeskAct, readonly [possible: boolean, act: () => void]>>> = {
    back: [mode !== 'look', () => setModeNow(mode === 'confirm-edit' ? 'edit' : 'look')],
    claim: [mine ? may('release') : may('claim'), () => void (mine ? acts.release() : acts.claim())],
    approve: [may('approve'), mode === 'confirm' ? sendApproval : approve],
    reject: [may('reject'), open('reject')],
    edit: [may('edit') || may('respond'), open(may('edit') ? 'edit' : 'respond')],
    comment: [may('comment'), open('comment')],
    undo: [fateOf(task).kind === 'held' && may('undo'), () => void acts.undo()],
  };
  // What is being edited is decided by its own form: a letter must not approve what stood there before.
  const can = (act: DeskAct): boolean => (keys[act]?.[0] ?? false) && (act === 'back' || !isEditing(mode));
  const onKey = (act: DeskAct): boolean => {
    const possible = can(act);
    if (possible) keys[act]?.[1]();
    return possible;
  };
  return {
    task,
    acts,
    mode,
    setMode,
    resumeEdit: () => setModeNow('edit'),
    note,
    setNote,
    approve,
    sendApproval,
    sendRejection: () => after(acts.decide({ verb: 'reject', reason: note.trim() }), true),
    sendTakeover: () => after(acts.takeover(note.trim()), true),
    postNote: () => after(acts.comment(note.trim()), true),
    onNext,
    onKey,
    can,
  };
};
