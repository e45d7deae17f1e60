/** The button that approves, or asks once more. */
import { Key, Ring } from '../shared/marks.js';

interface ApproveButtonProps {
  readonly busy: boolean;
  readonly words: string;
  readonly onClick: () => void;
}

export const ApproveButton = ({ busy, words, onClick }: ApproveButtonProps) => (
  <button type="button" className="btn primary grow-m" aria-disabled={busy || undefined} onClick={onClick}>
    {busy && <Ring />}
    {words} <Key>A</Key>
  </button>
);
