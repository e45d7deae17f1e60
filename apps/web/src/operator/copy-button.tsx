/** Puts a text on the clipboard, and says so on the button itself. */
import { useState } from 'react';
import { Icon, type IconName } from '../shared/icon.js';
import { useConsoleText } from './texts.js';

interface CopyButtonProps {
  readonly text: () => string;
  readonly label: string;
  /** Only a sign; the label is spoken. */
  readonly bare?: IconName;
}

export const CopyButton = ({ text, label, bare }: CopyButtonProps) => {
  const t = useConsoleText();
  const [copied, setCopied] = useState(false);
  const copy = () => void navigator.clipboard.writeText(text()).then(() => setCopied(true));
  const says = copied ? t('o.insp.copied') : label;
  return (
    <button
      type="button"
      className={bare ? 'btn ghost sm icon' : 'btn ghost sm'}
      aria-label={bare && says}
      title={bare && says}
      onClick={copy}
      onBlur={() => setCopied(false)}
    >
      <Icon name={copied ? 'check' : (bare ?? 'copy')} />
      {!bare && says}
    </button>
  );
};
