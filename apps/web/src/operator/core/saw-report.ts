/** What each surface was shown, as plain text for a ticket or a letter. */
import { LESSER, type SawRow } from './saw-rows.js';
import { toldBy, type Told } from './told-events.js';

const wordsOf = (told: Told): string => {
  switch (told.kind) {
    case 'words':
      return told.text;
    case 'call':
      return `${told.name} ${told.args}`;
    case 'question':
      return told.title;
    case 'line':
      return `${told.type} ${told.text}`;
  }
};

/** Times with their zone: a report is read elsewhere. */
export const sawReport = (rows: readonly SawRow[], hidden: string): string =>
  rows
    .map(({ from, to, at, name, shown, came }) => {
      const place = from === to ? String(from) : `${from}-${to}`;
      const lines = LESSER.map((surface) => {
        const words = toldBy(shown[surface]).map(wordsOf).join(' / ');
        return `  ${surface}: ${words === '' ? hidden : words}`;
      });
      const operator = `  operator: ${toldBy(came).map(wordsOf).join(' / ')}`;
      return [`${place} ${new Date(at).toISOString()} ${name}`, operator, ...lines].join('\n');
    })
    .join('\n\n');
