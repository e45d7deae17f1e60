/** The one bar of acts: what may be done now, the form an act needs, and what became of it. */
import type { TaskView } from '@triptych/protocol';
import { Icon } from '../shared/icon.js';
import { Key } from '../shared/marks.js';
import { useSurface } from '../shared/surface-context.js';
import { useMe } from '../shared/who-am-i.js';
import { ApproveButton } from './approve-button.js';
import { ClaimLine, TakenNotice } from './claim-line.js';
import { ConflictNotice } from './conflict-notice.js';
import { sumsOf } from './core/bulk.js';
import { isFinal, overtaken } from './core/conflict.js';
import { currentArgs, rowsOf } from './core/current.js';
import { fateOf } from './core/fate.js';
import { fieldDiff } from './core/field-diff.js';
import { DiffView } from './diff-view.js';
import { headlineOf } from '../shared/headline.js';
import { NoteForm } from './note-form.js';
import { SureRow } from './sure-row.js';
import { useDeskText } from './texts.js';
import { UndoBar } from './undo-bar.js';
import type { TaskDesk } from './use-task-desk.js';
import { valueWords } from './value-text.js';

const Buttons = ({ desk }: { desk: TaskDesk }) => {
  const t = useDeskText();
  const { task, acts } = desk;
  const may = (action: TaskView['may'][number]) => task.may.includes(action);
  return (
    <div className="row">
      <ClaimLine task={task} acts={acts} onTakeover={() => desk.setMode('takeover')} />
      {may('comment') && (
        <button type="button" className="btn ghost" onClick={() => desk.setMode('comment')}>
          {t('r.comment')} <Key>C</Key>
        </button>
      )}
      {may('edit') && (
        <button type="button" className="btn" onClick={() => desk.setMode('edit')}>
          {t('r.edit')} <Key>E</Key>
        </button>
      )}
      {may('reject') && (
        <button type="button" className="btn bad grow-m" onClick={() => desk.setMode('reject')}>
          {t('r.reject')} <Key>R</Key>
        </button>
      )}
      {may('respond') && (
        <button type="button" className="btn primary grow-m" onClick={() => desk.setMode('respond')}>
          {t('r.respond')} <Key>E</Key>
        </button>
      )}
      {may('approve') && (
        <ApproveButton
          busy={acts.busy}
          words={t(acts.busy ? 'r.sending' : 'r.approve')}
          onClick={desk.approve}
        />
      )}
    </div>
  );
};

const Confirm = ({ desk }: { desk: TaskDesk }) => {
  const t = useDeskText();
  return (
    <form
      className="row"
      data-send
      onSubmit={(event) => {
        event.preventDefault();
        desk.sendApproval();
      }}
    >
      <SureRow
        question={t('r.approve.sure', { what: headlineOf(desk.task) })}
        sums={sumsOf([desk.task])}
        approve={t('r.approve')}
        approveKey="A"
        busy={desk.acts.busy}
        onBack={() => desk.setMode('look')}
      />
    </form>
  );
};

const AfterConflict = ({ desk }: { desk: TaskDesk }) => {
  const t = useDeskText();
  const note = desk.note.trim();
  return (
    <>
      {note !== '' && (
        <div className="field">
          <span className="lab">{t('r.note.kept')}</span>
          <p className="kept">{note}</p>
        </div>
      )}
      <div className="row">
        <p className="claim">
          <Icon name="info" />
          <span className="c3">{t('r.nothing')}</span>
        </p>
        {note !== '' && (
          <>
            <button
              type="button"
              className="btn ghost"
              onClick={() => void navigator.clipboard.writeText(note)}
            >
              {t('r.note.copy')}
            </button>
            <button type="button" className="btn grow-m" onClick={desk.postNote}>
              {t('r.note.post')}
            </button>
          </>
        )}
        <button type="button" className="btn primary grow-m" onClick={desk.onNext}>
          {t('r.next')} <Key>J</Key>
        </button>
      </div>
    </>
  );
};

const Notes = ({ desk }: { desk: TaskDesk }) => {
  const t = useDeskText();
  const shared = {
    text: desk.note,
    onText: desk.setNote,
    busy: desk.acts.busy,
    onBack: () => desk.setMode('look'),
  };
  if (desk.mode === 'reject') {
    return (
      <NoteForm
        {...shared}
        label={t('r.reject.why')}
        missing={t('r.reject.need')}
        sendLabel={t('r.reject.send')}
        tone="bad"
        onSend={desk.sendRejection}
      />
    );
  }
  if (desk.mode === 'takeover') {
    return (
      <NoteForm
        {...shared}
        label={t('r.takeover.why')}
        missing={t('r.takeover.why')}
        sendLabel={t('r.takeover')}
        onSend={desk.sendTakeover}
      />
    );
  }
  return (
    <NoteForm
      {...shared}
      label={t('r.comment.label')}
      missing={t('r.comment.label')}
      sendLabel={t('r.comment.post')}
      onSend={desk.postNote}
    />
  );
};

const Closed = ({ desk }: { desk: TaskDesk }) => {
  const t = useDeskText();
  return (
    <div className="row">
      <p className="claim">
        <Icon name="info" />
        <span className="c3">{t('r.nothing')}</span>
      </p>
      {desk.task.may.includes('comment') && (
        <button type="button" className="btn ghost" onClick={() => desk.setMode('comment')}>
          {t('r.comment')} <Key>C</Key>
        </button>
      )}
      <button type="button" className="btn primary grow-m" onClick={desk.onNext}>
        {t('r.next')} <Key>J</Key>
      </button>
    </div>
  );
};

/** Nothing can be decided any more, or the last act met someone else's decision. */
const isOver = ({ task, acts }: TaskDesk): boolean => {
  const { kind } = fateOf(task);
  return (
    (acts.attempt !== undefined && isFinal(acts.attempt.conflict)) || (kind !== 'open' && kind !== 'held')
  );
};

/** What the bar shows for the mode; a rejection that can no longer be sent gives way, its note is kept. */
const Body = ({ desk, over }: { desk: TaskDesk; over: boolean }) => {
  const { mode } = desk;
  if (mode === 'comment' || (!over && (mode === 'reject' || mode === 'takeover')))
    return <Notes desk={desk} />;
  if (over)
    return desk.acts.attempt === undefined && mode === 'look' ? (
      <Closed desk={desk} />
    ) : (
      <AfterConflict desk={desk} />
    );
  return mode === 'confirm' ? <Confirm desk={desk} /> : <Buttons desk={desk} />;
};

/** What was read when it was decided, and what stands there now. */
const StaleDiff = ({ task, read }: { task: TaskView; read: unknown }) => {
  const t = useDeskText();
  const { formats } = useSurface();
  const [before, after] = [read, currentArgs(task)].map((args) => rowsOf(task, args) ?? []);
  const diff = fieldDiff(before ?? [], after ?? [], (row) => valueWords(row.value, formats, t));
  return <DiffView diff={diff} from={t('r.stale.from')} />;
};

export const ActionBar = ({ desk, now }: { desk: TaskDesk; now: number }) => {
  const { task, acts, mode } = desk;
  const me = useMe();
  const fate = fateOf(task);
  const attempt = acts.attempt ?? (mode === 'reject' ? overtaken(task, 'reject', me) : undefined);
  return (
    <div className="rv-acts">
      {attempt && (
        <div role="status">
          <ConflictNotice attempt={attempt} now={now} kept={desk.note.trim() !== ''} />
        </div>
      )}
      {attempt?.conflict.kind === 'stale' && <StaleDiff task={task} read={attempt.read} />}
      {mode === 'reject' && <TakenNotice task={task} now={now} />}
      {fate.kind === 'held' && (
        <UndoBar
          key={fate.until}
          until={fate.until}
          mayUndo={task.may.includes('undo')}
          onUndo={() => void acts.undo()}
        />
      )}
      <Body desk={desk} over={isOver(desk)} />
    </div>
  );
};
