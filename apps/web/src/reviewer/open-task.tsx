/** Loads the picked task, or says why it cannot be shown. */
import type { Refusal, TaskView } from '@triptych/protocol';
import { useCallback, useEffect, type RefObject } from 'react';
import { Icon } from '../shared/icon.js';
import { useSharedText } from '../shared/use-shared-text.js';
import { TaskDetail, type Pager } from './task-detail.js';
import { useActs } from './use-acts.js';
import { useTask } from './use-task.js';
import type { KeyHolder } from './use-task-desk.js';

interface OpenTaskProps {
  readonly taskId: string;
  readonly live: TaskView | undefined;
  readonly pager: Pager;
  readonly keys: RefObject<KeyHolder | undefined>;
  readonly onTask: (task: TaskView) => void;
  readonly onShown: () => void;
}

const Missing = ({
  refusal,
  again,
  pager,
}: {
  refusal: Refusal | undefined;
  again: () => void;
  pager: Pager;
}) => {
  const x = useSharedText();
  const gone = refusal !== undefined && refusal.next === 'stop';
  return (
    <main className="rv-detail">
      <div className="emptyx">
        {refusal === undefined ? null : (
          <>
            <Icon name={gone ? 'lock' : 'alert'} />
            <b>{x(gone ? 'x.notfound' : 'x.loadfail')}</b>
            <button type="button" className="btn" onClick={gone ? pager.back : again}>
              {x(gone ? 'x.close' : 'x.again')}
            </button>
          </>
        )}
      </div>
    </main>
  );
};

export const OpenTaskPane = ({ taskId, live, pager, keys, onTask, onShown }: OpenTaskProps) => {
  const { fetched, task, again } = useTask(taskId, live);
  const taken = useCallback(
    (next: TaskView) => {
      onTask(next);
      again();
    },
    [onTask, again],
  );
  const there = task !== undefined;
  useEffect(() => {
    if (there) onShown();
  }, [there, onShown]);
  const acts = useActs({ task, onTask: taken, onRefused: again });
  if (task === undefined) {
    return (
      <Missing
        refusal={fetched.state === 'refused' ? fetched.refusal : undefined}
        again={again}
        pager={pager}
      />
    );
  }
  return <TaskDetail task={task} acts={acts} pager={pager} keys={keys} />;
};
