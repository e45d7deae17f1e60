/** The seconds in which an answer can still be taken back. */
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
  return (
    <div className="undo" role="status">
      <span className="time" aria-hidden="true" />
      <span>{left > 0 ? t('r.undo', { s: Math.ceil(left / SECOND) }) : t('r.undo.late')}</span>
      {mayUndo && left > 0 && (
        <button type="button" className="btn sm" onClick={onUndo}>
          {t('r.undo.do')} <Key>Z</Key>
        </button>
      )}
    </div>
  );
};
