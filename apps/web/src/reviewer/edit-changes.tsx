/** What an edit comes to: its changes, or, where the proposal is another meanwhile, which of both stay. */
import { sameJson, type TaskView } from '@triptych/protocol';
import { Icon } from '../shared/icon.js';
import { withoutRedacted, withRedacted } from './core/edit-schema.js';
import type { FieldDiff } from './core/field-diff.js';
import { mergedEdit } from './core/three-way.js';
import { DiffView } from './diff-view.js';
import { useDeskText } from './texts.js';
import { ThreeWayView } from './three-way-view.js';
import type { EditDraft } from './use-edit-draft.js';

interface EditChangesProps {
  readonly task: TaskView;
  /** What stands there now. */
  readonly base: unknown;
  readonly diff: FieldDiff;
  readonly draft: EditDraft;
  readonly fitting: boolean;
  readonly responding: boolean;
}

/** What the author changed, on what stands there now. */
const merged = ({ base, value }: EditDraft, now: unknown): unknown =>
  mergedEdit({ was: withoutRedacted(base), yours: value, now: withoutRedacted(now) });

const Changes = ({ task, base, diff, draft }: EditChangesProps) => {
  const t = useDeskText();
  if (sameJson(draft.base, base))
    return <DiffView diff={diff} from={t('r.edit.from')} none={t('r.edit.none')} />;
  return (
    <ThreeWayView
      task={task}
      was={draft.base}
      yours={withRedacted(draft.value, draft.base)}
      now={base}
      onKeep={() => draft.rebase(base, merged(draft, base))}
      onTake={() => draft.rebase(base, withoutRedacted(base))}
    />
  );
};

export const EditChanges = (props: EditChangesProps) => {
  const t = useDeskText();
  const { fitting, responding } = props;
  return (
    <section className="sec" aria-label={t('r.edit.changes')}>
      {!responding && (
        <>
          <h2>{t('r.edit.changes')}</h2>
          <Changes {...props} />
        </>
      )}
      <p className={fitting ? 'st ok fits' : 'st bad fits'}>
        <Icon name={fitting ? 'check' : 'alert'} />
        {t(fitting ? 'r.edit.ok' : 'r.edit.bad')}
      </p>
    </section>
  );
};
