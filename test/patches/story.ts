/** Draws states, rules over them, and the patches of agents that mean well, are careless, or are up to something. */
import { applyPatch, type JsonPatch } from '@triptych/protocol';
import type { Chance } from '../history/chance.js';
import type { Rules } from './by-hand.js';

export type Step = JsonPatch[number];
type Path = readonly string[];

/** A state grows no larger, in characters. */
const MAX_STATE = 5_000;
const NAMES = ['a', 'b', 'list', 'rows', 'name', '', 'a/b', 'm~n', '~1', 'ключ', '😀', '0', '1', '-', '*'];
const TRAPS = ['constructor', 'prototype', 'toString', '__proto__', 'length', 'hasOwnProperty'];
/** Where nothing can be, or may be reached. */
const NOWHERE = [
  '/rows/01',
  '/rows/-1',
  '/rows/99999',
  '/rows/1.5',
  '/__proto__/x',
  '/constructor/prototype/x',
  '/nowhere/x',
  '/a~2',
  'rows',
];

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;
const pointerOf = (path: Path): string =>
  path.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Every place of a value, its own first. */
const placesIn = (value: unknown, path: Path = []): Path[] =>
  isContainer(value)
    ? [path, ...Object.entries(value).flatMap(([key, item]) => placesIn(item, [...path, key]))]
    : [path];

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((here, key) => (here as Record<string, unknown>)[key], value);

export class StoryTeller {
  private marks = 0;

  constructor(private readonly chance: Chance) {}

  /** A text that is nowhere else: where it turns up tells where it came from. */
  mark(): string {
    this.marks += 1;
    return `§${this.marks}§`;
  }

  state(): unknown {
    const rows = Array.from({ length: this.chance.between(0, 12) }, () => this.row());
    const others = Array.from({ length: this.chance.between(2, 6) }, () => [this.name(), this.value(3)]);
    return Object.fromEntries([['rows', rows], ...others]);
  }

  /** Pointers to what is there, some of them with `*`, and a few to nothing. */
  rules(state: unknown): Rules {
    const places = placesIn(state);
    const pointer = (): string => {
      const path = this.chance.happens(0.9) ? this.chance.one(places) : [this.name(), this.name()];
      return pointerOf(path.map((key) => (this.chance.happens(/^\d+$/.test(key) ? 0.6 : 0.1) ? '*' : key)));
    };
    const some = (most: number): string[] => Array.from({ length: this.chance.between(0, most) }, pointer);
    const all = this.chance.happens(0.15) ? [''] : [];
    return { state: [...all, ...some(4), '/rows/*/name'], redact: [...some(2), '/rows/*/secret'] };
  }

  /** Steps that mostly apply, one after the other. */
  patch(state: unknown): JsonPatch {
    const steps: Step[] = [];
    const most = this.chance.happens(0.1) ? 12 : this.chance.between(1, 4);
    let now = state;
    for (let tries = 0; tries < most * 2 && steps.length < most; tries += 1) {
      const step = this.step(now);
      const after = applyPatch(now, [step]);
      if (!after.ok && !this.chance.happens(0.1)) continue;
      if (after.ok && JSON.stringify(after.value).length > MAX_STATE) continue;
      steps.push(step);
      if (after.ok) now = after.value;
    }
    return steps;
  }

  private row(): unknown {
    return { id: this.mark(), name: this.mark(), secret: this.mark(), tags: [this.leaf()] };
  }

  private name(): string {
    if (this.chance.happens(0.15)) return this.mark();
    return this.chance.one(this.chance.happens(0.1) ? TRAPS : NAMES);
  }

  private leaf(): unknown {
    return this.chance.happens(0.7) ? this.mark() : this.chance.one([0, 1, true, false, null, '', 'same']);
  }

  private value(depth: number): unknown {
    if (depth === 0 || this.chance.happens(0.4)) return this.leaf();
    if (this.chance.happens(0.15)) return this.row();
    const size = this.chance.between(0, 4);
    if (this.chance.happens(0.5)) return Array.from({ length: size }, () => this.value(depth - 1));
    return Object.fromEntries(Array.from({ length: size }, () => [this.name(), this.value(depth - 1)]));
  }

  private step(state: unknown): Step {
    const step = this.plainStep(state, placesIn(state));
    return this.chance.happens(0.05) ? Object.assign(step, { note: this.mark() }) : step;
  }

  private plainStep(state: unknown, places: readonly Path[]): Step {
    const existing = (): string =>
      this.chance.happens(0.02) ? this.chance.one(NOWHERE) : pointerOf(this.chance.one(places));
    const room = (): string => this.room(state, places);
    const kind = this.chance.next();
    if (kind < 0.25) return { op: 'add', path: room(), value: this.value(2) };
    if (kind < 0.45) return { op: 'replace', path: existing(), value: this.value(2) };
    if (kind < 0.65) return { op: 'remove', path: this.inList(state, places) ?? existing() };
    if (kind < 0.8) return { op: 'move', from: this.inList(state, places) ?? existing(), path: room() };
    if (kind < 0.9) return { op: 'copy', from: existing(), path: room() };
    if (kind < 0.97) return this.test(state, this.chance.one(places));
    return { op: 'future', path: existing(), value: this.mark() } as unknown as Step;
  }

  private test(state: unknown, place: Path): Step {
    const value = this.chance.happens(0.8) ? valueAt(state, place) : this.leaf();
    return { op: 'test', path: pointerOf(place), value };
  }

  /** Elements are taken out more often than anything else: all after them shift. */
  private inList(state: unknown, places: readonly Path[]): string | undefined {
    if (this.chance.happens(0.4)) return undefined;
    const elements = places.filter(
      (place) => place.length > 0 && Array.isArray(valueAt(state, place.slice(0, -1))),
    );
    return elements.length === 0 ? undefined : pointerOf(this.chance.one(elements));
  }

  /** A place that a value can be put to. */
  private room(state: unknown, places: readonly Path[]): string {
    if (this.chance.happens(0.02)) return this.chance.one(NOWHERE);
    if (this.chance.happens(0.01)) return '';
    const containers = places.filter((place) => isContainer(valueAt(state, place)));
    const place = this.chance.one(containers.length > 0 ? containers : [[]]);
    const container = valueAt(state, place);
    if (!Array.isArray(container)) return pointerOf([...place, this.name()]);
    const index = this.chance.happens(0.3) ? 0 : this.chance.between(0, container.length);
    return pointerOf([...place, this.chance.happens(0.2) ? '-' : String(index)]);
  }
}
