/** The batches that wait for a person, each with its ways out. */
import { Icon } from '../../shared/icon.js';
import { useSurface } from '../../shared/surface-context.js';
import { useNow } from '../../shared/use-now.js';
import { useSharedText } from '../../shared/use-shared-text.js';
import { DeadLetters } from './dead-letters.js';
import { StuckBatch } from './stuck-batch.js';
import { useBatchText } from './texts.js';
import { useKnownBatches, type Batches } from './use-batches.js';

const MINUTE = 60_000;

const Nothing = () => {
  const t = useBatchText();
  return (
    <div className="emptyx">
      <Icon name="check" />
      <b>{t('b.none')}</b>
      <span>{t('b.none.why')}</span>
    </div>
  );
};

export const BatchesPage = ({ batches }: { batches: Batches }) => {
  const t = useBatchText();
  const x = useSharedText();
  const { formats } = useSurface();
  const known = useKnownBatches(batches);
  const now = useNow(MINUTE);
  const { fetched, again } = batches;
  const waiting = known?.filter(({ gone }) => !gone).length ?? 0;
  return (
    <main className="op-page" id="main" tabIndex={0}>
      <section>
        <h1>
          {t('b.title')} {waiting > 0 && <span className="count">{formats.number(waiting)}</span>}
        </h1>
        <p className="lead">{t('b.lead')}</p>
        {known === undefined && fetched.state === 'refused' && (
          <p className="err-text">
            <Icon name="alert" />
            <span>{x('x.loadfail')}</span>
          </p>
        )}
        {known?.length === 0 && <Nothing />}
        {known?.map((each) => (
          <StuckBatch
            // One that comes back after it was mended is asked about anew.
            key={`${each.batch.batchId}/${each.batch.attempts ?? 0}`}
            {...each}
            now={now}
            onMended={again}
          />
        ))}
        {fetched.state === 'there' && fetched.value.nextCursor !== undefined && (
          <p className="hint">{t('b.more', { n: formats.number(fetched.value.items.length) })}</p>
        )}
      </section>
      <DeadLetters now={now} />
    </main>
  );
};
