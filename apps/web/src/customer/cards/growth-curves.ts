/** Places the curves of a growth chart and keeps their labels apart. */
import type { GrowthFacts } from './card-facts.js';

export const CHART = { width: 300, height: 146, left: 4, right: 58, top: 8, bottom: 26 } as const;
/** Labels closer than this would lie on each other. */
const LABEL_GAP = 13;

export interface Curves {
  readonly weak: string;
  readonly expected: string;
  readonly strong: string;
  /** The area between weak and strong. */
  readonly band: string;
  readonly start: { readonly x: number; readonly y: number };
  /** Where expected and strong end: the lines to read them by. */
  readonly levels: { readonly expected: number; readonly strong: number };
  /** Baselines of the labels of strong, expected and weak. */
  readonly labels: readonly [number, number, number];
}

type Point = readonly [x: number, y: number];

const path = (points: readonly Point[]): string =>
  `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}`;

export const growthCurves = ({ weak, expected, strong }: GrowthFacts): Curves => {
  const { width, height, left, right, top, bottom } = CHART;
  const lowest = Math.min(...weak) * 0.94;
  const highest = Math.max(...strong) * 1.02;
  const span = highest - lowest || 1;
  const y = (value: number): number => top + (1 - (value - lowest) / span) * (height - top - bottom);
  const line = (values: readonly number[]): readonly Point[] =>
    values.map((value, at) => [left + (at / (values.length - 1)) * (width - left - right), y(value)]);
  const [low, middle, high] = [line(weak), line(expected), line(strong)];
  return {
    weak: path(low),
    expected: path(middle),
    strong: path(high),
    band: `${path([...high, ...low.toReversed()])}Z`,
    start: { x: left, y: y(expected[0] ?? 0) },
    levels: { expected: endOf(middle), strong: endOf(high) },
    labels: apart([high, middle, low].map((points) => endOf(points) + 4)),
  };
};

const endOf = (points: readonly Point[]): number => points.at(-1)?.[1] ?? 0;

const apart = (places: readonly number[]): readonly [number, number, number] => {
  const [first = 0, second = 0, third = 0] = places;
  const middle = Math.max(second, first + LABEL_GAP);
  return [first, middle, Math.max(third, middle + LABEL_GAP)];
};
