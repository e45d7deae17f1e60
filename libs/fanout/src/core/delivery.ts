/** What readers of a surface are handed: frames whose text is built once, and only if somebody sends it. */
import type { Position, SnapshotReason, Surface, ThreadId } from '@triptych/protocol';
import type { Shown } from './shown.js';
import { sizeOf } from './shown.js';

/** What an event becomes for one reader: itself, something a smaller peer understands, more, or nothing. */
export type Render = (json: string) => readonly string[];

export interface AguiDelivery {
  readonly kind: 'agui';
  readonly threadId: ThreadId;
  readonly prev: Position;
  readonly pos: Position;
  readonly shown: readonly Shown[];
  readonly size: number;
  /** The position after one of `shown`. */
  positionAfter(shown: Shown): Position;
  /** The text of the WebSocket frame. */
  frame(): string;
  /** The same in other words, with the same places; said also when no event is left of it. */
  reworded(render: Render): string;
}

export interface SnapshotDelivery {
  readonly kind: 'snapshot';
  readonly threadId: ThreadId;
  readonly pos: Position;
  readonly reason: SnapshotReason;
  /** The join prelude, one JSON text an event. */
  readonly events: readonly string[];
  readonly size: number;
  frame(): string;
  reworded(render: Render): string;
}

export type Delivery = AguiDelivery | SnapshotDelivery;

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
};

/** Names and positions around the events of a frame. */
const ENVELOPE_SIZE = 256;

interface AguiContent {
  readonly surface: Surface;
  readonly threadId: ThreadId;
  readonly prev: Position;
  readonly pos: Position;
  readonly shown: readonly Shown[];
  readonly positionAfter: (shown: Shown) => Position;
}

/** Texts are joined, never parsed and written anew: numbers beyond 2^53 and lone surrogates stay as they were. */
const eventTexts = (texts: readonly string[]): string => `"events":[${texts.join(',')}]`;

const operatorColumns = (shown: readonly Shown[]): string =>
  [
    `,"seqs":${JSON.stringify(shown.map((one) => one.seq))}`,
    `,"at":${JSON.stringify(shown.map((one) => one.at))}`,
    `,"source":${JSON.stringify(shown.map((one) => one.source))}`,
    `,"seen":${JSON.stringify(shown.map((one) => one.seen ?? { customer: 'hidden', reviewer: 'hidden' }))}`,
  ].join('');

const aguiFrame = (content: AguiContent): string => {
  const { surface, threadId, prev, pos, shown } = content;
  const head = `{"event":"agui","data":{"threadId":${JSON.stringify(threadId)},"prev":"${prev}","pos":"${pos}",`;
  const columns = surface === 'operator' ? operatorColumns(shown) : '';
  return `${head}${eventTexts(shown.map((one) => one.json))}${columns}}}`;
};

const said = (one: Shown, render: Render): readonly Shown[] =>
  render(one.json).map((json) => ({ ...one, json }));

export const aguiDelivery = (content: AguiContent): AguiDelivery => ({
  kind: 'agui',
  threadId: content.threadId,
  prev: content.prev,
  pos: content.pos,
  shown: content.shown,
  size: sizeOf(content.shown) + ENVELOPE_SIZE,
  positionAfter: content.positionAfter,
  frame: once(() => aguiFrame(content)),
  reworded: (render) => aguiFrame({ ...content, shown: content.shown.flatMap((one) => said(one, render)) }),
});

type SnapshotContent = Pick<SnapshotDelivery, 'threadId' | 'pos' | 'reason' | 'events'>;

const snapshotFrame = ({ threadId, pos, reason, events }: SnapshotContent): string =>
  `{"event":"snapshot","data":{"threadId":${JSON.stringify(threadId)},"pos":"${pos}","reason":"${reason}",${eventTexts(events)}}}`;

export const snapshotDelivery = (content: SnapshotContent): SnapshotDelivery => ({
  ...content,
  kind: 'snapshot',
  size: content.events.reduce((sum, text) => sum + text.length, ENVELOPE_SIZE),
  frame: once(() => snapshotFrame(content)),
  reworded: (render) => snapshotFrame({ ...content, events: content.events.flatMap(render) }),
});
