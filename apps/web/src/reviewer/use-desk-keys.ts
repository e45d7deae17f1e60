/** Listens for the desk's keys on the whole page. */
import { useEffect, useRef } from 'react';
import { isElsewhere, isTyping } from '../shared/own-keys.js';
import { deskAct, type DeskAct } from './core/desk-keys.js';

const CONTROLS = 'button, a, summary, select, input';

/** `act` says whether it did something; only then the key is ours. */
export const useDeskKeys = (act: (act: DeskAct) => boolean, lettersOn: boolean): void => {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (target.closest('dialog') || event.isComposing || isElsewhere(target, '.rv')) return;
      const meant = deskAct(
        {
          key: event.key,
          ctrl: event.ctrlKey || event.metaKey,
          shift: event.shiftKey,
          modified: event.ctrlKey || event.metaKey || event.altKey,
          typing: isTyping(target),
          onControl: target.closest(CONTROLS) !== null,
        },
        lettersOn,
      );
      if (meant !== undefined && latest.current(meant)) event.preventDefault();
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, [lettersOn]);
};
