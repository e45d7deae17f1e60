/** Keeps what is being written, by person and place, until it is sent. */
import { useState } from 'react';
import { readStored, writeStored } from './stored.js';
import { useSurface } from './surface-context.js';

const draftUnder = (key: string): string => {
  const kept = readStored(key);
  return typeof kept === 'string' ? kept : '';
};

export const useDraft = (place: string): [string, (text: string) => void] => {
  const { keptAs } = useSurface();
  const key = `triptych.draft.${keptAs}.${place}`;
  const [written, setWritten] = useState({ key, text: draftUnder(key) });
  // Another place's draft is there from its first frame on: nothing may overwrite what is typed meanwhile.
  const draft = written.key === key ? written.text : draftUnder(key);
  return [
    draft,
    (text) => {
      setWritten({ key, text });
      writeStored(key, text);
    },
  ];
};
