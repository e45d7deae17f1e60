/** Cuts formatted JSON into pieces that can be coloured. */

export interface Token {
  readonly kind: 'key' | 'text' | 'number' | 'word' | 'plain';
  readonly text: string;
}

const PIECE = /("(?:\\.|[^"\\])*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null)\b/g;

export const jsonTokens = (json: string): readonly Token[] => {
  const tokens: Token[] = [];
  let at = 0;
  const plain = (text: string) => {
    if (text !== '') tokens.push({ kind: 'plain', text });
  };
  for (const match of json.matchAll(PIECE)) {
    plain(json.slice(at, match.index));
    at = match.index + match[0].length;
    const [, quoted, colon, number, word] = match;
    if (quoted !== undefined) {
      tokens.push({ kind: colon === undefined ? 'text' : 'key', text: quoted });
      plain(colon ?? '');
    } else
      tokens.push(
        number === undefined ? { kind: 'word', text: word ?? '' } : { kind: 'number', text: number },
      );
  }
  plain(json.slice(at));
  return tokens;
};

const MAX_DEPTH = 6;

/** Decoded: texts that are JSON themselves are shown as what they hold. */
export const decoded = (value: unknown, depth = 0): unknown => {
  if (depth > MAX_DEPTH) return value;
  if (typeof value === 'string') return decodedText(value, depth);
  if (Array.isArray(value)) return value.map((item) => decoded(item, depth + 1));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, decoded(each, depth + 1)]));
  }
  return value;
};

const decodedText = (text: string, depth: number): unknown => {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return decoded(JSON.parse(text) as unknown, depth + 1);
  } catch {
    // A part of JSON, as argument deltas are: shown as the text it is.
    return text;
  }
};
