/** The acts for several tasks: how many each would reach, the words it needs, and what became of it. */
import type { TaskView } from '@triptych/protocol';
import { Icon } from '../shared/icon.js';
import { Key } from '../shared/marks.js';
import { Notice } from '../shared/notice.js';
import { useNow } from '../shared/use-now.js';
import { useSharedText } from '../shared/use-shared-text.js';
import { ApproveButton } from './approve-button.js';
import { able, heldOf, sumsOf, type BulkMode, type BulkOutcome } from './core/bulk.js';
import { NoteForm } from './note-form.js';
import { SureRow } from './sure-row.js';
import { useDeskText } from './texts.js';
import { UndoBar } from './undo-bar.js';
import type { Bulk, Failed } from './use-bulk.js';

export interface BulkActs {
  readonly mode: BulkMode;
  readonly setMode: (mode: BulkMode) => void;
  readonly note: string;
  readonly setNote: (text: string) => void;
  readonly approve: () => void;
  readonly reject: () => void;
}

interface BulkBarProps {
  readonly tasks: readonly TaskView[];
  readonly bulk: Bulk;
  readonly acts: BulkActs;
  readonly onClear: () => void;
}

/** What was recorded and what was not, and the seconds in which all of it can be taken back. */
const OutcomeLine = ({ bulk, outcome }: { bulk: Bulk; outcome: BulkOutcome }) => {
  const t = useDeskText();
  const now = useNow(1_000);
  const held = heldOf(outcome);
  const said = t(`r.bulk.done.${outcome.verb}`, { ok: outcome.done.length, no: outcome.refused.size });
  return (
    <>
      <div role="status">
        <Notice
          tone={outcome.refused.size > 0 ? 'wait' : 'ok'}
          icon={outcome.refused.size > 0 ? 'alert' : 'check'}
        >
          <p>{said}</p>
        </Notice>
      </div>
      {held && held.until > now && (
        <UndoBar key={held.until} until={held.until} mayUndo={!bulk.busy} onUndo={() => void bulk.undo()} />
      )}
    </>
  );
};

/** Whether what was sent was recorded is not always known. */
const FailedLine = ({ failed: { refusal, act } }: { failed: Failed }) => {
  const t = useDeskText();
  const lost = t(act === 'undo' ? 'r.bulk.undo.lost' : 'r.bulk.lost');
  return (
    <div role="status">
      <Notice tone="bad" icon="server">
        <p>{refusal.code === 'STORE_UNAVAILABLE' ? lost : refusal.message}</p>
      </Notice>
    </div>
  );
};

const Buttons = ({ tasks, bulk, acts, onClear }: BulkBarProps) => {
  const t = useDeskText();
  const x = useSharedText();
  const can = { approve: able(tasks, 'approve').length, reject: able(tasks, 'reject').length };
  return (
    <div className="row">
      <p className="claim">
        <Icon name="info" />
        <span className="c3">{t('r.bulk.each')}</span>
      </p>
      {can.reject > 0 && (
        <button type="button" className="btn bad grow-m" onClick={() => acts.setMode('reject')}>
          {t('r.bulk.reject', { n: can.reject })} <Key>R</Key>
        </button>
      )}
      {can.approve > 0 && (
        <ApproveButton
          busy={bulk.busy}
          words={t('r.bulk', { can: can.approve, n: tasks.length })}
          onClick={acts.approve}
        />
      )}
      {can.approve === 0 && can.reject === 0 && (
        <button type="button" className="btn primary grow-m" onClick={onClear}>
          {x('x.close')} <Key>Esc</Key>
        </button>
      )}
    </div>
  );
};

const Confirm = ({ tasks, bulk, acts }: BulkBarProps) => {
  const t = useDeskText();
  const those = able(tasks, 'approve');
  return (
    <form
      className="row"
      data-send
      onSubmit={(event) => {
        event.preventDefault();
        acts.approve();
      }}
    >
      <SureRow
        question={t('r.bulk.sure', { n: those.length })}
        sums={sumsOf(those)}
        approve={t('r.approve')}
        approveKey="A"
        busy={bulk.busy}
        onBack={() => acts.setMode('look')}
      />
    </form>
  );
};

export const BulkBar = (props: BulkBarProps) => {
  const { tasks, bulk, acts } = props;
  const t = useDeskText();
  return (
    <div className="rv-acts">
      {bulk.failed && <FailedLine failed={bulk.failed} />}
      {bulk.outcome && <OutcomeLine bulk={bulk} outcome={bulk.outcome} />}
      {acts.mode === 'look' && <Buttons {...props} />}
      {acts.mode === 'confirm' && <Confirm {...props} />}
      {acts.mode === 'reject' && (
        <NoteForm
          label={t('r.reject.why')}
          missing={t('r.reject.need')}
          sendLabel={t('r.bulk.reject', { n: able(tasks, 'reject').length })}
          tone="bad"
          text={acts.note}
          onText={acts.setNote}
          busy={bulk.busy}
          onSend={acts.reject}
          onBack={() => acts.setMode('look')}
        />
      )}
    </div>
  );
};
