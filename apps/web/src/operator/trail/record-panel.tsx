/** One record, opened: what changed, its hashes, whether its seal holds. */
import { Icon, type IconName } from '../../shared/icon.js';
import { changesOf, isHole, type AuditItem, type AuditRecord } from '../core/audit-record.js';
import { DecisionReceipt } from './decision-receipt.js';
import { RecordFacts } from './record-facts.js';
import { RecordSeal } from './record-seal.js';
import type { SealChecker } from './seal-checker.js';
import { useTrailText } from './texts.js';

const Changes = ({ record }: { record: AuditRecord }) => {
  const t = useTrailText();
  const changes = changesOf(record);
  const columns = changes.some(({ was }) => was !== undefined) ? (['was', 'is'] as const) : (['is'] as const);
  const lost = record.erased ? 't.erased' : record.damaged ? 't.damaged' : undefined;
  return (
    <section>
      <h3>{t('t.changes')}</h3>
      {lost && <p className="hint">{t(lost)}</p>}
      {!lost && changes.length === 0 && <p className="hint">{t('t.changes.none')}</p>}
      {changes.length > 0 && (
        <table className="tr-changes">
          <thead>
            <tr>
              {(['field', ...columns] as const).map((name) => (
                <th key={name} scope="col">
                  {t(`t.changes.${name}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {changes.map((change) => (
              <tr key={change.name}>
                <th scope="row">{change.name}</th>
                {columns.map((column) => (
                  <td key={column} className={column}>
                    {change[column]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
};

const Hashes = ({ record }: { record: AuditRecord }) => {
  const t = useTrailText();
  const hashes = { record: record.hash, proposal: record.proposalHash, payload: record.payloadHash };
  return (
    <section>
      <h3>{t('t.hashes')}</h3>
      <dl className="kv">
        {(['record', 'proposal', 'payload'] as const).map(
          (name) =>
            hashes[name] !== undefined && (
              <div key={name} className="pairx">
                <dt>{t(`t.hash.${name}`)}</dt>
                <dd className="mono">{hashes[name]}</dd>
              </div>
            ),
        )}
      </dl>
    </section>
  );
};

interface RecordPanelProps {
  readonly item: AuditItem;
  readonly checker: SealChecker;
  readonly onStep: (by: number) => void;
  readonly onClose: () => void;
}

const Buttons = ({ onStep, onClose }: Pick<RecordPanelProps, 'onStep' | 'onClose'>) => {
  const t = useTrailText();
  const buttons: readonly (readonly [string, IconName, () => void])[] = [
    [t('t.previous'), 'up', () => onStep(-1)],
    [t('t.next'), 'down', () => onStep(1)],
    [t('t.close'), 'x', onClose],
  ];
  return buttons.map(([label, icon, act]) => (
    <button key={label} type="button" className="btn ghost sm icon" aria-label={label} onClick={act}>
      <Icon name={icon} />
    </button>
  ));
};

export const RecordPanel = ({ item, checker, ...buttons }: RecordPanelProps) => {
  const t = useTrailText();
  const name = t('t.record', { n: String(item.seq) });
  return (
    <aside className="op-insp" aria-label={name}>
      <header>
        <div className="ln">
          <h2>{isHole(item) ? t('t.hole') : item.action}</h2>
          <span className="c3 nowrap">{name}</span>
          <span className="grow" />
          <Buttons {...buttons} />
        </div>
        {!isHole(item) && <RecordFacts record={item} />}
      </header>
      <div className="in" tabIndex={0} role="region" aria-label={name}>
        {isHole(item) ? (
          <p>{t('t.hole.why')}</p>
        ) : (
          <>
            <RecordSeal record={item} checker={checker} />
            <Changes record={item} />
            {item.subject.task !== undefined && (
              <DecisionReceipt key={item.seq} record={item} task={item.subject.task} checker={checker} />
            )}
            <Hashes record={item} />
          </>
        )}
      </div>
    </aside>
  );
};
