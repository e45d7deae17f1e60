/** Whether the seal of a record holds, found out in this browser from the published keys. */
import { useEffect, useState } from 'react';
import { Icon, type IconName } from '../../shared/icon.js';
import { Ring } from '../../shared/marks.js';
import { useSurface } from '../../shared/surface-context.js';
import { useNow } from '../../shared/use-now.js';
import type { AuditRecord } from '../core/audit-record.js';
import type { SealVerdict } from '../core/seal-check.js';
import type { SealChecker } from './seal-checker.js';
import { useTrailText } from './texts.js';

const MINUTE = 60_000;

const SIGNS: Readonly<Record<SealVerdict['state'], readonly [IconName, string]>> = {
  holds: ['shield', 'st ok'],
  'not-yet': ['hourglass', 'st wait'],
  broken: ['alert', 'st bad'],
  unknown: ['ask', 'st'],
};

const useWhy = () => {
  const t = useTrailText();
  const { formats } = useSurface();
  const now = useNow(MINUTE);
  return (verdict: SealVerdict): string => {
    switch (verdict.state) {
      case 'holds': {
        const { n, at, seq } = verdict.checkpoint;
        return t('t.seal.holds.why', {
          n: formats.number(n),
          when: formats.when(at, now),
          first: formats.number(verdict.first),
          last: formats.number(seq),
        });
      }
      case 'not-yet':
        return t('t.seal.not-yet.why');
      case 'broken':
        return t(`t.flaw.${verdict.why}`, { n: formats.number(verdict.seq) });
      case 'unknown':
        return t(`t.seal.${verdict.why}`);
    }
  };
};

export const RecordSeal = ({ record, checker }: { record: AuditRecord; checker: SealChecker }) => {
  const t = useTrailText();
  const why = useWhy();
  const [verdict, setVerdict] = useState<SealVerdict | undefined>(undefined);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let wanted = true;
    setVerdict(undefined);
    void checker.check(record).then((found) => wanted && setVerdict(found));
    return () => {
      wanted = false;
    };
  }, [record, checker, turn]);
  const [icon, tone] = verdict ? SIGNS[verdict.state] : [];
  return (
    <section aria-live="polite">
      <h3>{t('t.seal')}</h3>
      {verdict === undefined ? (
        <p className="st live">
          <Ring />
          {t('t.seal.checking')}
        </p>
      ) : (
        <>
          <p className={tone}>
            {icon && <Icon name={icon} />}
            <b className="w5">{t(`t.seal.${verdict.state}`)}</b>
          </p>
          <p className="hint">{why(verdict)}</p>
          {verdict.state === 'holds' && <p className="hint">{t('t.seal.boxes')}</p>}
          {verdict.state !== 'holds' && (
            <button type="button" className="btn sm" onClick={() => setTurn(turn + 1)}>
              <Icon name="refresh" />
              {t('t.seal.again')}
            </button>
          )}
        </>
      )}
    </section>
  );
};
