/** What a palette offers, and which of it the written words mean. */
import type { IconName } from '../icon.js';

export interface PaletteEntry {
  /** Of what kind: entries of one kind stand together, under its name. */
  readonly group: string;
  /** What it is known by; no other entry of its group has it. */
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  /** The keys that do the same. */
  readonly keys?: string;
  readonly icon: IconName;
  readonly run: () => void;
}

export interface PaletteSource {
  /** What is at hand; `text` is what was written so far. */
  readonly here: (text: string) => readonly PaletteEntry[];
  /** What only the hub knows. */
  readonly find?: (text: string) => Promise<readonly PaletteEntry[]>;
}

/** More is not read, it is written more of. */
export const SHOWN = 40;

/** Of what there is a lot, while nothing is written: the rest of the palette is to be seen too. */
export const AT_FIRST = 8;

const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Undefined: some word is not in it. Lower is nearer. */
const distance = (entry: PaletteEntry, text: string, words: readonly string[]): number | undefined => {
  const [label, id] = [plain(entry.label), plain(entry.id)];
  const all = `${label} ${id} ${plain(entry.hint ?? '')} ${plain(entry.group)}`;
  if (!words.every((word) => all.includes(word))) return undefined;
  if (id === text) return 0;
  if (label.startsWith(text)) return 1;
  return label.includes(text) ? 2 : 3;
};

/** WEB-88: all words must be found; an id that is written whole comes first, groups stay together. */
export const matching = (entries: readonly PaletteEntry[], written: string): readonly PaletteEntry[] => {
  const text = plain(written.trim());
  const words = text.split(/\s+/u).filter(Boolean);
  const found = entries.flatMap((entry) => {
    const far = distance(entry, text, words);
    return far === undefined ? [] : [{ entry, far }];
  });
  const nearest = new Map<string, number>();
  for (const { entry, far } of found)
    nearest.set(entry.group, Math.min(far, nearest.get(entry.group) ?? far));
  const groups = [...nearest.keys()];
  const rank = ({ entry, far }: (typeof found)[number]): readonly number[] => [
    words.length === 0 ? 0 : (nearest.get(entry.group) ?? far),
    groups.indexOf(entry.group),
    words.length === 0 ? 0 : far,
  ];
  const order = (a: readonly number[], b: readonly number[]): number => {
    const at = a.findIndex((value, nth) => value !== b[nth]);
    return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
  };
  return found
    .toSorted((a, b) => order(rank(a), rank(b)))
    .slice(0, SHOWN)
    .map(({ entry }) => entry);
};

/** What was found elsewhere adds to what was here already. */
export const withFound = (
  here: readonly PaletteEntry[],
  found: readonly PaletteEntry[],
): readonly PaletteEntry[] => {
  const known = new Set(here.map(({ group, id }) => `${group}\n${id}`));
  return [...here, ...found.filter(({ group, id }) => !known.has(`${group}\n${id}`))].slice(0, SHOWN);
};
