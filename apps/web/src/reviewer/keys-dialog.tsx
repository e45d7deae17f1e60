/** Lists the keys of the desk, and lets single letters be switched off. */
import { useEffect, useRef } from 'react';
import { Key } from '../shared/marks.js';
import { useSharedText } from '../shared/use-shared-text.js';
import { useDeskText } from './texts.js';

interface KeysDialogProps {
  readonly open: boolean;
  readonly lettersOn: boolean;
  readonly onLetters: (on: boolean) => void;
  readonly onClose: () => void;
}

export const KeysDialog = ({ open, lettersOn, onLetters, onClose }: KeysDialogProps) => {
  const t = useDeskText();
  const x = useSharedText();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  const rows: readonly [readonly string[], string][] = [
    [['J', 'K'], t('r.keys.jk')],
    [['↵'], t('r.keys.enter')],
    [['G'], t('r.keys.g')],
    [['A', 'R', 'E', 'C'], t('r.keys.arec')],
    [['X'], t('r.keys.x')],
    [['Shift X'], t('r.keys.range')],
    [['Z'], t('r.keys.z')],
    [['N'], t('r.keys.n')],
    [['/'], t('r.keys.slash')],
    [['Ctrl ↵'], t('r.keys.send')],
    [['Esc'], t('r.keys.esc')],
    [['?'], t('r.keys.help')],
  ];
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="keys-title" className="keys-dialog">
      <h2 id="keys-title" className="w6">
        {t('r.keys')}
      </h2>
      <dl className="keymap">
        {rows.map(([keys, what]) => (
          <div key={what} className="pairx">
            <dt>
              {keys.map((key) => (
                <Key key={key}>{key}</Key>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label className="check">
        <input type="checkbox" checked={lettersOn} onChange={(event) => onLetters(event.target.checked)} />
        {t('r.keys.on')}
      </label>
      <form method="dialog">
        <button type="submit" className="btn">
          {x('x.close')}
        </button>
      </form>
    </dialog>
  );
};
