/** One batch that waits for a person: what is known of it, and what each way out would mean. */
import type { BatchView, TaskView } from '@triptych/protocol';
import { Icon, type IconName } from '../../shared/icon.js';
import { headlineOf } from '../../shared/headline.js';
import { nameOf } from '../../shared/personas.js';
import { readableName } from '../../shared/readable-name.js';
import { useSurface } from '../../shared/surface-context.js';
import { useFetched } from '../../shared/use-fetched.js';
import { actsFor, isRepeat, troubleOf } from '../core/batch-acts.js';
import type { KnownBatch } from '../core/known-batches.js';
import { ThreadLink } from '../thread-link.js';
import { MendForm, MendNews } from './mend-form.js';
import { useBatchText } from './texts.js';
import { useMend, type Mend } from './use-mend.js';

const STATES: Readonly<Record<string, { tone: string; icon: IconName; word: 'unknown' | 'stopped' }>> = {
  unknown: { tone: 'bad', icon: 'ask', word: 'unknown' },
  retry_wait: { tone: 'wait', icon: 'refresh', word: 'stopped' },
};
const BLOCKED = { tone: 'bad', icon: 'lock', word: 'blocked' } as const;

const StateSign = ({ batch, gone }: KnownBatch) => {
  const t = useBatchText();
  const { tone, icon, word } = STATES[batch.state] ?? BLOCKED;
  return gone ? (
    <span className="st ok">
      <Icon name="check" />
      {t('b.state.gone')}
    </span>
  ) : (
    <span className={`st ${tone}`}>
      <Icon name={icon} />
      {t(`b.state.${word}`)}
    </span>
  );
};

/** Named by its first question; a batch of the client's own calls has none. */
const useAsked = ({ taskIds: [first] }: BatchView): TaskView | undefined => {
  const { fetched } = useFetched<TaskView>(
    first === undefined ? undefined : `/v1/approvals/${encodeURIComponent(first)}`,
  );
  return fetched.state === 'there' ? fetched.value : undefined;
};

const Story = ({ batch, now }: { batch: BatchView; now: number }) => {
  const t = useBatchText();
  const { formats } = useSurface();
  const trouble = troubleOf(batch);
  const { total, open, attempts = 0, message, code, failedLate } = batch;
  const told = [
    trouble === 'untaken' ? t('b.why.untaken', { n: attempts }) : t(`b.why.${trouble}`),
    ...(total > 0 ? [t('b.kept', { have: formats.number(total - open), of: formats.number(total) })] : []),
    ...(failedLate === undefined ? [] : [t('b.late', { when: formats.when(failedLate, now) })]),
  ];
  return (
    <>
      <p>{formats.sentences(told)}</p>
      {(message ?? code) !== undefined && (
        <p>
          {t(message === undefined ? 'b.code' : 'b.said')}: {message !== undefined && <q>{message}</q>}{' '}
          {code && <code>{code}</code>}
        </p>
      )}
    </>
  );
};

const Acts = ({ batch, mend }: { batch: BatchView; mend: Mend }) => {
  const t = useBatchText();
  const acts = actsFor(batch);
  if (acts.length === 0) return null;
  return (
    <div className="acts">
      {acts.map((act) => (
        <div key={act}>
          <button type="button" className="btn sm" onClick={() => mend.ask(act)}>
            {t(`b.act.${act}`)}
          </button>
          <p>{t(act === 'retry' && !isRepeat(batch) ? 'b.does.retry.safe' : `b.does.${act}`)}</p>
        </div>
      ))}
    </div>
  );
};

interface StuckBatchProps extends KnownBatch {
  readonly now: number;
  readonly onMended: () => void;
}

export const StuckBatch = ({ batch, gone, now, onMended }: StuckBatchProps) => {
  const t = useBatchText();
  const { formats } = useSurface();
  const mend = useMend(batch, onMended);
  const task = useAsked(batch);
  const { state } = mend.mending;
  return (
    <article className="stuck" data-gone={gone || undefined} aria-label={batch.batchId}>
      <header>
        <StateSign batch={batch} gone={gone} />
        <b>{task ? headlineOf(task) : readableName(batch.agentId)}</b>
        <span className="c3">
          {task && `${nameOf(task.requester)} · `}
          {batch.agentId}
        </span>
        <span className="c3 age">{formats.ago(batch.openedAt, now)}</span>
      </header>
      <Story batch={batch} now={now} />
      <p className="c3 where">
        {t('b.batch')} <span className="mono">{batch.batchId}</span> ·{' '}
        <ThreadLink threadId={batch.threadId}>{t('b.log')}</ThreadLink>
      </p>
      <MendNews mending={mend.mending} gone={gone} />
      {state === 'asking' || state === 'sending' ? (
        <MendForm batch={batch} mend={mend} />
      ) : (
        !gone && <Acts batch={batch} mend={mend} />
      )}
    </article>
  );
};
