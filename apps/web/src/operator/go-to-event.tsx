/** Goes to an event by its number; `G` opens it from anywhere nothing is being written. */
import { useEffect, useRef, useState } from 'react';
import { isElsewhere, isTyping } from '../shared/own-keys.js';
import { useSurface } from '../shared/surface-context.js';
import { useConsoleText } from './texts.js';

interface GoToEventProps {
  readonly first: number;
  readonly last: number;
  readonly onGo: (seq: number) => void;
}

export const GoToEvent = ({ first, last, onGo }: GoToEventProps) => {
  const t = useConsoleText();
  const { formats } = useSurface();
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.key.toLowerCase() !== 'g' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(target) || isElsewhere(target, '.op') || !field.current) return;
      event.preventDefault();
      field.current.focus();
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, []);
  return (
    <form
      className="goto"
      onSubmit={(event) => {
        event.preventDefault();
        const seq = Number(text);
        if (!Number.isInteger(seq) || text.trim() === '') return;
        onGo(Math.min(last, Math.max(first, seq)));
        setText('');
      }}
    >
      <span className="in">
        <input
          ref={field}
          className="input"
          aria-label={t('o.goto')}
          placeholder={last < first ? '' : `${formats.number(first)}–${formats.number(last)}`}
          inputMode="numeric"
          autoComplete="off"
          value={text}
          aria-describedby="goto-key"
          onChange={(event) => setText(event.target.value.replace(/\D/gu, ''))}
          onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
        />
        <kbd id="goto-key">G</kbd>
      </span>
    </form>
  );
};
