/** What a reviewer does with a task: sent once, recorded or refused, never assumed. */
import type { TaskCall, TaskCallName } from '@triptych/client';
import type { DecisionVerb, Refusal, TaskView } from '@triptych/protocol';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useAnnounce } from '../shared/announcer.js';
import { useSurface } from '../shared/surface-context.js';
import { useConflictWords } from './conflict-words.js';
import { conflictOf, type Attempt } from './core/conflict.js';
import { currentArgs } from './core/current.js';

export interface Verdict {
  readonly verb: DecisionVerb;
  readonly reason?: string;
  readonly payload?: unknown;
  readonly editedArgs?: unknown;
}

export interface Acts {
  readonly busy: boolean;
  /** The last act that was refused, until the next one. */
  readonly attempt: Attempt | undefined;
  readonly decide: (verdict: Verdict) => Promise<boolean>;
  readonly claim: () => Promise<boolean>;
  readonly release: () => Promise<boolean>;
  readonly takeover: (reason: string) => Promise<boolean>;
  readonly comment: (text: string) => Promise<boolean>;
  readonly undo: () => Promise<boolean>;
  /** null: to nobody in particular. */
  readonly assign: (to: string | null) => Promise<boolean>;
  readonly extend: (dueAt: number) => Promise<boolean>;
  readonly dismiss: () => void;
}

interface ActsOf {
  readonly task: TaskView | undefined;
  readonly onTask: (task: TaskView) => void;
  readonly onRefused: (refusal: Refusal) => void;
}

export const useActs = ({ task, onTask, onRefused }: ActsOf): Acts => {
  const { client } = useSurface();
  const announce = useAnnounce();
  const words = useConflictWords();
  const [busy, setBusy] = useState(false);
  const [attempt, setAttempt] = useState<Attempt | undefined>(undefined);
  const sending = useRef(false);
  const read = useRef<unknown>(undefined);
  read.current = task && currentArgs(task);
  useEffect(() => setAttempt(undefined), [task?.taskId]);

  const call = useCallback(
    async <N extends TaskCallName>(name: N, verb: Attempt['verb'], data: TaskCall<N>): Promise<boolean> => {
      // A second press while the first is on its way sends nothing.
      if (sending.current) return false;
      // Without a connection nothing is promised: the reviewer decides again when it is back.
      if (client.state.state !== 'ready') {
        setAttempt({ verb, conflict: { kind: 'unrecorded' } });
        return false;
      }
      sending.current = true;
      setBusy(true);
      setAttempt(undefined);
      const answer = await client.task(name, data);
      sending.current = false;
      setBusy(false);
      if (answer.ok) onTask(answer.value);
      else {
        const refused = { verb, conflict: conflictOf(answer.refusal), read: read.current };
        setAttempt(refused);
        announce(words(refused, Date.now()), 'assertive');
        onRefused(answer.refusal);
      }
      return answer.ok;
    },
    [client, announce, words, onTask, onRefused],
  );

  const taskId = task?.taskId ?? '';
  const rev = task?.rev ?? 0;
  return {
    busy,
    attempt,
    decide: (verdict) =>
      call('decide', verdict.editedArgs === undefined ? verdict.verb : 'edit', {
        taskId,
        rev,
        proposalHash: task?.proposalHash ?? '',
        ...verdict,
      }),
    claim: () => call('claim', 'claim', { taskId, rev }),
    release: () => call('release', 'release', { taskId, rev }),
    takeover: (reason) => call('takeover', 'takeover', { taskId, rev, reason }),
    comment: (text) => call('comment', 'comment', { taskId, text }),
    undo: () => call('undo', 'undo', { taskId, rev }),
    assign: (to) => call('assign', 'assign', { taskId, rev, to }),
    extend: (dueAt) => call('extend', 'extend', { taskId, rev, dueAt }),
    dismiss: () => setAttempt(undefined),
  };
};
