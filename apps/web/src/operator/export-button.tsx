/** Saves the whole log as lines of JSON, and says when it could not. */
import { useState } from 'react';
import { useAnnounce } from '../shared/announcer.js';
import { Icon } from '../shared/icon.js';
import { Ring } from '../shared/marks.js';
import { useSurface } from '../shared/surface-context.js';
import type { LogPage } from './core/log-book.js';
import { EXPORT_PAGE } from './core/log-export.js';
import { exportLog } from './export-log.js';
import { saveFile } from '../shared/save-file.js';
import { useConsoleText } from './texts.js';

export const ExportButton = ({ threadId }: { threadId: string }) => {
  const t = useConsoleText();
  const { api, formats } = useSurface();
  const announce = useAnnounce();
  const [state, setState] = useState<'idle' | 'reading' | 'failed'>('idle');
  const read = async (after: number) => {
    const path = `/v1/threads/${encodeURIComponent(threadId)}/log?after=${after}&limit=${EXPORT_PAGE}`;
    const answer = await api.get<LogPage>(path);
    return answer.ok ? answer.value.items : undefined;
  };
  const run = async () => {
    setState('reading');
    const exported = await exportLog(read);
    setState(exported.state === 'failed' ? 'failed' : 'idle');
    if (exported.state === 'failed') return announce(t('o.export.failed'), 'assertive');
    saveFile(new Blob([...exported.parts], { type: 'application/x-ndjson' }), `${threadId}.jsonl`);
    announce(t(`o.export.${exported.state}`, { n: formats.number(exported.count) }));
  };
  const says = t(state === 'failed' ? 'o.export.failed' : 'o.export');
  return (
    <button
      type="button"
      className={state === 'failed' ? 'btn ghost sm bad' : 'btn ghost sm icon'}
      aria-label={says}
      title={says}
      aria-disabled={state === 'reading' || undefined}
      onClick={() => state !== 'reading' && void run()}
    >
      {state === 'reading' ? <Ring /> : <Icon name={state === 'failed' ? 'alert' : 'download'} />}
      {state === 'failed' && says}
    </button>
  );
};
