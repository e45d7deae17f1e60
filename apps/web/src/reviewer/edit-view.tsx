/** Editing a proposal, or answering a question: the form at the left, what it comes to at the right. */
import { sameJson, type TaskView } from '@triptych/protocol';
import { useEffect, useRef, useState } from 'react';
import { LazySchemaForm } from '../shared/forms/lazy-schema-form.js';
import type { JsonSchema } from '../shared/forms/schema-errors.js';
import { Icon } from '../shared/icon.js';
import { Ring } from '../shared/marks.js';
import { Notice } from '../shared/notice.js';
import { firstNameOf } from '../shared/personas.js';
import { useSame } from '../shared/use-same.js';
import { useSurface } from '../shared/surface-context.js';
import { useMe } from '../shared/who-am-i.js';
import { ClaimLine, TakenNotice } from './claim-line.js';
import { ConflictNotice } from './conflict-notice.js';
import { isFinal, overtaken } from './core/conflict.js';
import { editSchema, withoutRedacted, withRedacted } from './core/edit-schema.js';
import { fieldDiff } from './core/field-diff.js';
import { editDecides, isWeighty, stakeOf } from './core/stake.js';
import { EditChanges } from './edit-changes.js';
import { currentArgs, hiddenRows, rowsOf } from './core/current.js';
import { SureRow } from './sure-row.js';
import { useDeskText } from './texts.js';
import { useEditDraft } from './use-edit-draft.js';
import type { TaskDesk } from './use-task-desk.js';
import { valueWords } from './value-text.js';

interface EditBarProps {
  readonly desk: TaskDesk;
  readonly fitting: boolean;
  readonly changed: boolean;
  /** Sending it approves it. */
  readonly decides: boolean;
}

interface SureBarProps {
  readonly desk: TaskDesk;
  readonly result: unknown;
  readonly n: number;
}

/** The same question as before a plain approval, with the amount that would be approved. */
const SureBar = ({ desk, result, n }: SureBarProps) => {
  const t = useDeskText();
  const stake = stakeOf(result);
  return (
    <div className="rv-acts">
      <div className="row">
        <SureRow
          question={t('r.edit.sure', { n })}
          sums={stake === undefined ? [] : [stake]}
          approve={t('r.edit.approve')}
          approveKey="Ctrl ↵"
          busy={desk.acts.busy}
          onBack={() => desk.setMode('edit')}
        />
      </div>
    </div>
  );
};

const EditBar = ({ desk, fitting, changed, decides }: EditBarProps) => {
  const t = useDeskText();
  const responding = desk.mode === 'respond';
  const me = useMe();
  const attempt = desk.acts.attempt ?? overtaken(desk.task, responding ? 'respond' : 'edit', me);
  const over = attempt !== undefined && isFinal(attempt.conflict);
  const send = responding ? 'r.respond.send' : decides ? 'r.edit.approve' : 'r.edit.send';
  const off = over || desk.acts.busy || !fitting || !(changed || responding);
  return (
    <div className="rv-acts">
      {attempt && <ConflictNotice attempt={attempt} now={Date.now()} kept={changed} />}
      <TakenNotice task={desk.task} now={Date.now()} />
      <div className="row">
        <ClaimLine
          task={desk.task}
          acts={desk.acts}
          note={t('r.edit.kept')}
          onTakeover={() => desk.setMode('takeover')}
        />
        <button type="button" className="btn ghost" onClick={() => desk.setMode('look')}>
          {t('r.edit.discard')} <kbd>Esc</kbd>
        </button>
        <button type="submit" className="btn primary grow-m" aria-disabled={off || undefined}>
          {desk.acts.busy && <Ring />}
          {t(desk.acts.busy ? 'r.sending' : send)} <kbd>Ctrl ↵</kbd>
        </button>
      </div>
    </div>
  );
};

/** Once someone else has decided, there is nothing left to be sure about. */
const Bar = ({ result, n, ...edit }: EditBarProps & SureBarProps) => {
  const me = useMe();
  const sure = edit.desk.mode === 'confirm-edit' && overtaken(edit.desk.task, 'edit', me) === undefined;
  return sure ? <SureBar desk={edit.desk} result={result} n={n} /> : <EditBar {...edit} />;
};

const VoidNotice = ({ task }: { task: TaskView }) => {
  const t = useDeskText();
  const vote = task.votes.find((each) => each.verb === 'approve');
  return (
    <Notice tone={vote ? 'wait' : 'plain'} icon="info">
      <p>{vote ? t('r.edit.void', { name: firstNameOf(vote.by) }) : t('r.edit.alone')}</p>
    </Notice>
  );
};

const HiddenFields = ({ task, base }: { task: TaskView; base: unknown }) => {
  const t = useDeskText();
  return hiddenRows(task, base).map(({ key, label }) => (
    <div className="field" key={key}>
      <span className="lab">{label}</span>
      <p className="redact">
        <Icon name="eyeoff" />
        {t('r.edit.hidden')}
      </p>
    </div>
  ));
};

export const EditView = ({ desk }: { desk: TaskDesk }) => {
  const t = useDeskText();
  const { formats } = useSurface();
  const { task, mode, acts } = desk;
  const me = useMe();
  const responding = mode === 'respond';
  const base = responding ? undefined : currentArgs(task);
  // The task comes anew with every frame; the form must not, or what is being typed would be lost.
  const schema = useSame(responding ? ((task.responseSchema ?? {}) as JsonSchema) : editSchema(task, base));
  const draft = useEditDraft(task, base, responding ? undefined : withoutRedacted(base));
  const { value, setValue } = draft;
  const moved = !responding && !sameJson(draft.base, base);
  const [fitting, setFitting] = useState(false);
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(), []);
  const result = responding ? value : withRedacted(value, base);
  const diff = fieldDiff(rowsOf(task, base) ?? [], rowsOf(task, result) ?? [], (row) =>
    valueWords(row.value, formats, t),
  );
  const changed = diff.changed.length > 0;
  const decides = !responding && editDecides(task, result, me);
  const send = async () => {
    setTried(true);
    if (!fitting || (!changed && !responding) || moved) return;
    if (mode === 'edit' && decides && isWeighty(task, result)) return desk.setMode('confirm-edit');
    const ok = await acts.decide(
      responding ? { verb: 'respond', payload: value ?? {} } : { verb: 'approve', editedArgs: result },
    );
    // What was refused is told beside the form, where it can be mended.
    if (!ok) return responding ? undefined : desk.resumeEdit();
    setValue(undefined);
    desk.setMode('look');
  };
  return (
    <form
      ref={form}
      className="editing"
      data-send
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <div className="rv-scroll">
        <div className="edit">
          <section className="form" aria-label={t(responding ? 'r.respond' : 'r.edit.what')}>
            {!responding && <VoidNotice task={task} />}
            <LazySchemaForm
              id={`edit-${task.taskId}`}
              schema={schema}
              value={value}
              base={base}
              showProblems={tried || changed}
              onChange={(next, fits) => {
                if (mode === 'confirm-edit' && !sameJson(next, value)) desk.setMode('edit');
                setValue(next);
                setFitting(fits);
              }}
            />
            <HiddenFields task={task} base={base} />
          </section>
          <EditChanges {...{ task, base, diff, draft, fitting, responding }} />
        </div>
      </div>
      <Bar {...{ desk, changed, decides, result }} fitting={fitting && !moved} n={diff.changed.length} />
    </form>
  );
};
