/** Keeps what is being written, by person and place, until it is sent. */
import { useEffect, useState } from 'react';
import { readStored, writeStored } from './stored.js';
import { useSurface } from './surface-context.js';

export const useDraft = (place: string): [string, (text: string) => void] => {
  const { me } = useSurface();
  const key = `triptych.draft.${me.sub}.${place}`;
  const [draft, setDraft] = useState('');
  useEffect(() => {
    const kept = readStored(key);
    setDraft(typeof kept === 'string' ? kept : '');
  }, [key]);
  return [
    draft,
    (text) => {
      setDraft(text);
      writeStored(key, text);
    },
  ];
};
