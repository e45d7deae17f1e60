/** The receipt of the decision a record tells of, verified in this browser. */
import { useState } from 'react';
import { Icon } from '../../shared/icon.js';
import { nameOf } from '../../shared/personas.js';
import { useSurface } from '../../shared/surface-context.js';
import type { AuditRecord } from '../core/audit-record.js';
import { judgeReceipt, type Receipt, type ReceiptVerdict } from '../core/receipt-check.js';
import { JsonView } from '../json-view.js';
import type { SealChecker } from './seal-checker.js';
import { useTrailText } from './texts.js';

interface Judged {
  readonly receipt: Receipt;
  readonly verdict: ReceiptVerdict;
}

const TONES: Readonly<Record<ReceiptVerdict, string>> = {
  good: 'st ok',
  'bad-signature': 'st bad',
  'bad-fields': 'st bad',
  'other-decision': 'st wait',
  browser: 'st',
};

const Facts = ({ receipt }: { receipt: Receipt }) => {
  const t = useTrailText();
  const { formats } = useSurface();
  const { actor, decidedAt, decisionId, status, proposalHash, payloadHash } = receipt;
  return (
    <dl className="kv">
      <dt>{t('t.receipt.status')}</dt>
      <dd>{status}</dd>
      {actor !== undefined && (
        <>
          <dt>{t('t.receipt.by')}</dt>
          <dd>{nameOf(actor)}</dd>
        </>
      )}
      <dt>{t('t.receipt.at')}</dt>
      <dd>
        {formats.when(decidedAt, 0)} <span className="c3">{formats.timeExact(decidedAt)}</span>
      </dd>
      <dt>{t('t.receipt.decision')}</dt>
      <dd className="mono">{decisionId}</dd>
      <dt>{t('t.hash.proposal')}</dt>
      <dd className="mono">{proposalHash}</dd>
      <dt>{t('t.hash.payload')}</dt>
      <dd className="mono">{payloadHash}</dd>
    </dl>
  );
};

const Shown = ({ receipt, verdict }: Judged) => {
  const t = useTrailText();
  return (
    <>
      <p className={TONES[verdict]}>
        <Icon name={verdict === 'good' ? 'shield' : verdict === 'browser' ? 'ask' : 'alert'} />
        <span>{t(`t.receipt.${verdict}`)}</span>
      </p>
      <Facts receipt={receipt} />
      <details className="producer">
        <summary>{t('t.receipt.signed')}</summary>
        <JsonView text={receipt.signed} label={t('t.receipt.signed')} />
      </details>
    </>
  );
};

interface DecisionReceiptProps {
  readonly record: AuditRecord;
  readonly task: string;
  readonly checker: SealChecker;
}

export const DecisionReceipt = ({ record, task, checker }: DecisionReceiptProps) => {
  const t = useTrailText();
  const { api } = useSurface();
  const [found, setFound] = useState<Judged | 'none' | undefined>(undefined);
  const show = async () => {
    const answer = await api.get<Receipt>(`/v1/approvals/${encodeURIComponent(task)}/receipt`);
    if (!answer.ok) return setFound('none');
    const tools = await checker.signatures().catch(() => undefined);
    setFound({ receipt: answer.value, verdict: await judgeReceipt(answer.value, record, tools) });
  };
  return (
    <section aria-live="polite">
      <h3>{t('t.receipt')}</h3>
      {found === undefined && (
        <button type="button" className="btn sm" onClick={() => void show()}>
          <Icon name="doc" />
          {t('t.receipt.show')}
        </button>
      )}
      {found === 'none' && <p className="hint">{t('t.receipt.none')}</p>}
      {typeof found === 'object' && <Shown {...found} />}
    </section>
  );
};
