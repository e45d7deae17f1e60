/** The seconds in which an answer can still be taken back. */
import { useState, type CSSProperties } from 'react';
import { Key } from '../shared/marks.js';
import { useNow } from '../shared/use-now.js';
import { useDeskText } from './texts.js';

const SECOND = 1_000;

export const UndoBar = ({
  until,
  mayUndo,
  onUndo,
}: {
  until: number;
  mayUndo: boolean;
  onUndo: () => void;
}) => {
  const t = useDeskText();
  const now = useNow(SECOND / 4);
  const left = Math.max(0, until - now);
  const [whole] = useState(() => Math.max(1, until - Date.now()));
  const share = { '--left': `${Math.min(1, left / whole) * 100}%` } as CSSProperties;
  return (
    <div className="undo" role="status">
      <span className="time" aria-hidden="true" style={share} />
      <span>{left > 0 ? t('r.undo', { s: Math.ceil(left / SECOND) }) : t('r.undo.late')}</span>
      {mayUndo && left > 0 && (
        <button type="button" className="btn sm" onClick={onUndo}>
          {t('r.undo.do')} <Key>Z</Key>
        </button>
      )}
    </div>
  );
};
