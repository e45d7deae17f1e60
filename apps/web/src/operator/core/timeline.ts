/** Lays a tree of runs on one axis of time. */
import { endOf, tookOf, waitedOf, type RunNode, type VisibleNode } from './run-tree.js';

export interface Bar {
  /** Of the axis, 0 to 1, both. */
  readonly from: number;
  readonly to: number;
}

/** Where a bar's words stand: where there is free room for them. */
export interface LabelPlace {
  readonly side: 'after' | 'before' | 'inside';
  readonly at: number;
}

export interface TimelineRow extends VisibleNode {
  /** Undefined where it only waits. */
  readonly work?: Bar;
  readonly wait?: Bar;
  /** How long it has been in the standing it is in: waiting where it waits, else at work; milliseconds. */
  readonly ms: number;
}

export interface Timeline {
  readonly rows: readonly TimelineRow[];
  /** Milliseconds after the beginning, with their places. */
  readonly ticks: readonly { readonly ms: number; readonly at: number }[];
  /** A wait is longer than the axis: its end is not drawn to scale. */
  readonly clipped: boolean;
}

/** Work that ended; a wait has no end of its own to measure by. */
const workEnd = (node: RunNode, now: number): number =>
  Math.max(node.waitsFrom ?? endOf(node, now), ...node.children.map((child) => workEnd(child, now)));

const lastEnd = (node: RunNode, now: number): number =>
  Math.max(endOf(node, now), ...node.children.map((child) => lastEnd(child, now)));

/** A night's wait would leave no room for the work of seconds: no more than this share more than the work is drawn. */
const WAIT_SHARE = 1;
const TICKS = 5;
const STEPS = [1, 2, 5];
const MIN_SPAN = 10;

/** Beyond this there is no room to the right of a bar, up to that none to its left. */
const ROOM_AFTER = 0.8;
const ROOM_BEFORE = 0.3;

export const labelPlace = ({ work, wait }: Pick<TimelineRow, 'work' | 'wait'>): LabelPlace => {
  const from = (work ?? wait)?.from ?? 0;
  const to = (wait ?? work)?.to ?? 0;
  if (to <= ROOM_AFTER) return { side: 'after', at: to };
  return from >= ROOM_BEFORE ? { side: 'before', at: from } : { side: 'inside', at: to };
};

const stepFor = (ms: number): number => {
  const wanted = ms / TICKS;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, wanted)));
  return (STEPS.find((step) => step * power >= wanted) ?? 10) * power;
};

export const layTimeline = (root: RunNode, nodes: readonly VisibleNode[], now: number): Timeline => {
  const { startedAt } = root;
  const worked = Math.max(MIN_SPAN, workEnd(root, now) - startedAt);
  const whole = Math.max(worked, lastEnd(root, now) - startedAt);
  const span = Math.min(whole, worked * (1 + WAIT_SHARE));
  const place = (at: number): number => Math.min(1, Math.max(0, (at - startedAt) / span));
  const rows = nodes.map((each): TimelineRow => {
    const { node } = each;
    const end = endOf(node, now);
    const until = node.waitsFrom ?? end;
    return {
      ...each,
      ...(until >= node.startedAt ? { work: { from: place(node.startedAt), to: place(until) } } : {}),
      ...(node.waitsFrom === undefined ? {} : { wait: { from: place(node.waitsFrom), to: place(end) } }),
      ms: (node.standing === 'waiting' ? waitedOf(node, now) : undefined) ?? tookOf(node, now),
    };
  });
  const step = stepFor(span);
  const ticks = Array.from({ length: Math.floor(span / step) + 1 }, (_, nth) => ({
    ms: nth * step,
    at: (nth * step) / span,
  }));
  return { rows, ticks, clipped: whole > span };
};
