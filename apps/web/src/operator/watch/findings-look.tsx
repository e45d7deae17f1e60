/** What was worth a look in a thread, newest first. */
import { useEffect } from 'react';
import { Icon } from '../../shared/icon.js';
import type { Page } from '../../shared/hub-api.js';
import { useSurface } from '../../shared/surface-context.js';
import { useFetched } from '../../shared/use-fetched.js';
import { useSharedText } from '../../shared/use-shared-text.js';
import type { RunFinding } from '../core/run-tree.js';
import { useSettled } from '../past/use-settled.js';
import { FindingItem } from '../runs/finding-item.js';
import { useWatchText } from './texts.js';

interface ListedFinding extends RunFinding {
  readonly runId?: string;
  readonly by?: string;
  readonly pointer?: string;
}

const LOOK_AGAIN_MS = 1_000;

export const FindingsLook = ({ threadId, head }: { threadId: string; head: number }) => {
  const t = useWatchText();
  const x = useSharedText();
  const { formats } = useSurface();
  const path = `/v1/threads/${encodeURIComponent(threadId)}/findings?limit=200`;
  const { fetched, again } = useFetched<Page<ListedFinding>>(path);
  const settled = useSettled(head, LOOK_AGAIN_MS);
  useEffect(again, [again, settled]);
  if (fetched.state === 'refused') return <p className="held err-text">{x('x.loadfail')}</p>;
  if (fetched.state === 'loading') return null;
  const { items, nextCursor } = fetched.value;
  if (items.length === 0) {
    return (
      <div className="emptyx">
        <Icon name="flag" />
        <b>{t('w.findings.none')}</b>
        <span>{t('w.findings.why')}</span>
      </div>
    );
  }
  return (
    <div className="held finds" tabIndex={0} role="region" aria-label={t('w.findings.why')}>
      {items.map((finding, index) => (
        <FindingItem key={`${finding.at}/${index}`} finding={finding} />
      ))}
      {nextCursor !== undefined && (
        <p className="hint">{t('w.findings.more', { n: formats.number(items.length) })}</p>
      )}
    </div>
  );
};
