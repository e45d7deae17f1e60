/** Decides several tasks in one request: each is recorded or refused by itself, and nothing is assumed. */
import type { Refusal, TaskView } from '@triptych/protocol';
import { useRef, useState } from 'react';
import { useAnnounce } from '../shared/announcer.js';
import { useSurface } from '../shared/surface-context.js';
import { decisionsOn, heldOf, outcomeOf, without, type BulkOutcome, type BulkVerb } from './core/bulk.js';
import { useDeskText } from './texts.js';

/** Why what was sent as a whole, or one that was to be taken back, was refused. */
export interface Failed {
  readonly act: BulkVerb | 'undo';
  readonly refusal: Refusal;
}

export interface Bulk {
  readonly busy: boolean;
  readonly outcome: BulkOutcome | undefined;
  readonly failed: Failed | undefined;
  readonly send: (tasks: readonly TaskView[], verb: BulkVerb, reason?: string) => Promise<boolean>;
  readonly undo: () => Promise<void>;
}

export const useBulk = (onTask: (task: TaskView) => void): Bulk => {
  const { client } = useSurface();
  const t = useDeskText();
  const announce = useAnnounce();
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<BulkOutcome | undefined>(undefined);
  const [failed, setFailed] = useState<Failed | undefined>(undefined);
  const sending = useRef(false);

  const once = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    // A second press while the first is on its way sends nothing.
    if (sending.current) return undefined;
    sending.current = true;
    setBusy(true);
    setFailed(undefined);
    const answer = await work();
    sending.current = false;
    setBusy(false);
    return answer;
  };

  const send: Bulk['send'] = async (tasks, verb, reason = '') => {
    const items = decisionsOn(tasks, verb, reason);
    if (items.length === 0) return false;
    const answer = await once(() => client.decideAll(items));
    if (answer === undefined) return false;
    if (!answer.ok) {
      setFailed({ act: verb, refusal: answer.refusal });
      return false;
    }
    const came = outcomeOf(verb, answer.value);
    setOutcome(came);
    came.done.forEach(onTask);
    announce(t(`r.bulk.done.${verb}`, { ok: came.done.length, no: came.refused.size }), 'assertive');
    return true;
  };

  const undo = async (): Promise<void> => {
    const held = outcome && heldOf(outcome);
    if (!held) return;
    const answers = await once(() =>
      Promise.all(held.tasks.map(({ taskId, rev }) => client.task('undo', { taskId, rev }))),
    );
    if (answers === undefined) return;
    const undone = answers.flatMap((answer) => (answer.ok ? [answer.value] : []));
    undone.forEach(onTask);
    // What could not be taken back stays told, and can be tried again while there is time.
    setOutcome(without(outcome, new Set(undone.map(({ taskId }) => taskId))));
    const refused = answers.find((answer) => !answer.ok);
    if (refused) setFailed({ act: 'undo', refusal: refused.refusal });
  };

  return { busy, outcome, failed, send, undo };
};
