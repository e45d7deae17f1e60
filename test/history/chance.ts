/** All that is left to chance in a history, drawn from one seed: the same seed draws the same. */

/** FNV-1a: spreads a text over 32 bits. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
};

export class Chance {
  private state: number;

  constructor(readonly seed: string) {
    this.state = hashOf(seed);
  }

  /** A stream of its own: what one part draws does not depend on how often another has drawn. */
  of(part: string): Chance {
    return new Chance(`${this.seed}/${part}`);
  }

  /** In [0, 1); mulberry32. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  between(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  one<T>(items: readonly T[]): T {
    return items[this.between(0, items.length - 1)] as T;
  }

  happens(likelihood: number): boolean {
    return this.next() < likelihood;
  }
}
