/**
 * Stands in the place of `decode-named-character-reference`, which in a browser writes markup to learn what a name
 * means: our content policy allows none. A name that is not here stays as it was written.
 */
const CHARACTERS: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u{a0}' },
  ...{ ndash: '–', mdash: '—', hellip: '…', bull: '•', middot: '·', shy: '\u{ad}' },
  ...{ lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', laquo: '«', raquo: '»' },
  ...{ copy: '©', reg: '®', trade: '™', deg: '°', sect: '§', para: '¶', dagger: '†' },
  ...{ euro: '€', pound: '£', yen: '¥', cent: '¢', permil: '‰', times: '×', divide: '÷' },
  ...{ plusmn: '±', minus: '−', ne: '≠', le: '≤', ge: '≥', asymp: '≈', infin: '∞', sum: '∑' },
  ...{ larr: '←', rarr: '→', uarr: '↑', darr: '↓', harr: '↔', check: '✓', frac12: '½', micro: 'µ' },
};

export const decodeNamedCharacterReference = (name: string): string | false =>
  Object.hasOwn(CHARACTERS, name) ? (CHARACTERS[name] ?? false) : false;
