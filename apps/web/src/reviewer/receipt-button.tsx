/** Saves what proves a decision to anybody: who decided what, signed. */
import { useState } from 'react';
import { useAnnounce } from '../shared/announcer.js';
import { Icon } from '../shared/icon.js';
import { Ring } from '../shared/marks.js';
import { saveFile } from '../shared/save-file.js';
import { useSurface } from '../shared/surface-context.js';
import { useDeskText } from './texts.js';

export const ReceiptButton = ({ taskId }: { taskId: string }) => {
  const t = useDeskText();
  const { api } = useSurface();
  const announce = useAnnounce();
  const [state, setState] = useState<'idle' | 'reading' | 'failed'>('idle');
  const save = async () => {
    if (state === 'reading') return;
    setState('reading');
    const answer = await api.get<object>(`/v1/approvals/${encodeURIComponent(taskId)}/receipt`);
    setState(answer.ok ? 'idle' : 'failed');
    if (!answer.ok) return announce(t('r.receipt.failed'), 'assertive');
    const text = `${JSON.stringify(answer.value, undefined, 2)}\n`;
    saveFile(new Blob([text], { type: 'application/json' }), `receipt-${taskId}.json`);
  };
  return (
    <button
      type="button"
      className="btn link t-12"
      title={t('r.receipt.why')}
      aria-disabled={state === 'reading' || undefined}
      onClick={() => void save()}
    >
      {state === 'reading' ? (
        <Ring />
      ) : (
        <Icon name={state === 'failed' ? 'alert' : 'download'} className="sm" />
      )}
      {t(state === 'failed' ? 'r.receipt.failed' : 'r.receipt')}
    </button>
  );
};
