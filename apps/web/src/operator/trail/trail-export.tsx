/** Saves what the filters leave, all of it: as lines that can be verified at home, or as a table. */
import { useState } from 'react';
import { useAnnounce } from '../../shared/announcer.js';
import { Icon } from '../../shared/icon.js';
import { Ring } from '../../shared/marks.js';
import { useSurface } from '../../shared/surface-context.js';
import { saveFile } from '../../shared/save-file.js';
import { useTrailText } from './texts.js';

const FORMATS = ['jsonl', 'csv'] as const;

export const TrailExport = ({ query }: { query: string }) => {
  const t = useTrailText();
  const { api } = useSurface();
  const announce = useAnnounce();
  const [state, setState] = useState<'idle' | 'failed' | (typeof FORMATS)[number]>('idle');
  const save = async (format: (typeof FORMATS)[number]) => {
    setState(format);
    const file = await api.file(`/v1/audit/export?format=${format}&${query}`);
    setState(file.ok ? 'idle' : 'failed');
    if (!file.ok) return announce(t('t.export.failed'), 'assertive');
    const name = `audit.${format}`;
    saveFile(file.value, name);
    announce(t('t.export.done', { name }));
  };
  const busy = state === 'jsonl' || state === 'csv';
  return (
    <>
      {state === 'failed' && (
        <span className="st bad">
          <Icon name="alert" />
          {t('t.export.failed')}
        </span>
      )}
      {FORMATS.map((format) => (
        <button
          key={format}
          type="button"
          className="btn ghost sm"
          aria-disabled={busy || undefined}
          onClick={() => !busy && void save(format)}
        >
          {state === format ? <Ring /> : <Icon name="download" />}
          {t(state === format ? 't.export.busy' : `t.export.${format}`)}
        </button>
      ))}
    </>
  );
};
