/** Which key does what on the desk; letters only outside text fields. */

export type DeskAct =
  | 'next'
  | 'previous'
  | 'open'
  | 'claim'
  | 'approve'
  | 'reject'
  | 'edit'
  | 'comment'
  | 'undo'
  | 'pick'
  | 'range'
  | 'fresh'
  | 'search'
  | 'keys'
  | 'send'
  | 'back';

export interface KeyPress {
  readonly key: string;
  readonly modified: boolean;
  readonly ctrl: boolean;
  readonly shift: boolean;
  /** In a field where letters are text. */
  readonly typing: boolean;
  /** On a button or link, where Enter already means something. */
  readonly onControl: boolean;
}

const LETTERS: Readonly<Record<string, DeskAct>> = {
  j: 'next',
  k: 'previous',
  g: 'claim',
  a: 'approve',
  r: 'reject',
  e: 'edit',
  c: 'comment',
  z: 'undo',
  x: 'pick',
  n: 'fresh',
  '/': 'search',
  '?': 'keys',
};

/** WEB-7: single letters act only outside text fields and can be switched off; Escape and sending always work. */
export const deskAct = (press: KeyPress, lettersOn: boolean): DeskAct | undefined => {
  if (press.key === 'Enter' && press.ctrl) return 'send';
  if (press.key === 'Escape') return 'back';
  if (press.typing || press.modified) return undefined;
  if (press.key === 'Enter') return press.onControl ? undefined : 'open';
  const act = lettersOn ? LETTERS[press.key.toLowerCase()] : undefined;
  return act === 'pick' && press.shift ? 'range' : act;
};
