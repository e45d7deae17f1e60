/** Who did it, when, by which door and rule, and to what. */
import type { ReactNode } from 'react';
import { nameOf } from '../../shared/personas.js';
import { useSurface } from '../../shared/surface-context.js';
import { SUBJECT_PARTS, type AuditRecord, type SubjectPart } from '../core/audit-record.js';
import { ThreadLink } from '../thread-link.js';
import { useTrailText } from './texts.js';
import { filterBy } from './trail-filters.js';

const Subject = ({ part, id }: { part: SubjectPart; id: string }) => {
  const t = useTrailText();
  if (part === 'thread') return <ThreadLink threadId={id}>{id}</ThreadLink>;
  return (
    <>
      <span className="mono">{id}</span>
      {part === 'task' && (
        <button type="button" className="btn link t-12" onClick={() => filterBy({ onTask: id })}>
          {t('t.task.all')}
        </button>
      )}
    </>
  );
};

export const RecordFacts = ({ record }: { record: AuditRecord }) => {
  const t = useTrailText();
  const { formats } = useSurface();
  const { actor, at, subject, policyId, requestId, ip, ua } = record;
  const rows: readonly (readonly [string, ReactNode])[] = [
    [t('t.at'), `${formats.when(at, 0)} · ${formats.timeExact(at)}`],
    [
      t('t.by'),
      <>
        {nameOf(actor.id)} {actor.role !== undefined && t('t.by.role', { role: actor.role })}
      </>,
    ],
    [t('t.via'), actor.via],
    [t('t.rule'), policyId && <span className="mono">{policyId}</span>],
    ...SUBJECT_PARTS.map((part) => {
      const id = subject[part];
      return [t(`t.part.${part}`), id && <Subject part={part} id={id} />] as const;
    }),
    [t('t.request'), requestId && <span className="mono">{requestId}</span>],
    [t('t.from'), [ip, ua].filter(Boolean).join(' · ')],
  ];
  return (
    <dl className="kv">
      {rows.map(([label, value]) =>
        value === undefined || value === '' ? null : (
          <div key={label} className="pairx">
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
};
