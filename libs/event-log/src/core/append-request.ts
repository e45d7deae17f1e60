/** Checks an append before it is sent and writes it as the arguments of the script. */
import type { AppendOutcome, AppendRequest, NewEvent, Producer } from './event-log.js';
import { SOURCE_LETTER } from './batch.js';
import type { LogPosition } from './feed.js';

/** A Lua call takes some 8,000 arguments; an event is at most 4 of them. */
const MAX_EVENTS = 1_000;
/** Twice the largest legal batch (a snapshot of 7 MiB and its company); more is a caller that forgot its limits. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Same limit of Lua, for the arguments of one rider. */
const MAX_RIDER_ARGS = 4_000;
/** 200 open interrupts with a few writes each. */
const MAX_RIDERS = 1_000;
/** Larger batches are announced as a pointer, so that no slow subscriber fills the output buffer of Redis. */
const INLINE_BYTES = 32 * 1024;

const LONE_SURROGATE = /\p{Surrogate}/gu;

/** A lone surrogate has no UTF-8; in JSON text it can stand only inside a string, where its escape means the same. */
const encodable = (text: string): string =>
  text.replace(LONE_SURROGATE, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);

const demand = (holds: boolean, what: string): void => {
  if (!holds) throw new RangeError(`An append is too large: ${what}.`);
};

const checkSize = ({ events, riders = [] }: AppendRequest): void => {
  demand(events.length <= MAX_EVENTS, `${events.length} events, at most ${MAX_EVENTS}`);
  demand(riders.length <= MAX_RIDERS, `${riders.length} riders, at most ${MAX_RIDERS}`);
  const longest = Math.max(0, ...riders.map((rider) => rider.length));
  demand(longest <= MAX_RIDER_ARGS, `a rider of ${longest} arguments, at most ${MAX_RIDER_ARGS}`);
  const chars = events.reduce((sum, { json, raw = '' }) => sum + json.length + raw.length, 0);
  demand(chars <= MAX_BYTES, `${chars} characters, at most ${MAX_BYTES}`);
};

const eventArgs = ({ source, json, raw }: NewEvent): string[] => [
  SOURCE_LETTER[source],
  encodable(json),
  raw === undefined ? '' : encodable(raw),
];

const producerArgs = (producer: Producer | undefined): string[] =>
  producer === undefined ? ['', '0', '0'] : [producer.id, String(producer.epoch), String(producer.seq)];

const seenArgs = (seen: LogPosition | undefined): string[] =>
  seen === undefined ? ['', '0'] : [seen.epoch, String(seen.head)];

/** What whoever appends knows of the log and of the store. */
export interface Sight {
  readonly seen?: LogPosition | undefined;
  /** '' where lives of the store cannot be told apart. */
  readonly life: string;
  /** The furthest it saw before this life. */
  readonly before?: LogPosition | undefined;
}

const NO_SIGHT: Sight = { life: '' };

const lifeArgs = ({ seen, life, before }: Sight): string[] => [
  life,
  String(before !== undefined && before.epoch === seen?.epoch ? before.head : 0),
];

const listArgs = <T>(items: readonly T[], argsOf: (item: T) => readonly string[]): string[] => [
  String(items.length),
  ...items.flatMap(argsOf),
];

/** The arguments of `append.lua`, in its order. */
export const appendArgs = (request: AppendRequest, newEpoch: string, sight = NO_SIGHT): string[] => {
  checkSize(request);
  return [
    newEpoch,
    ...seenArgs(sight.seen),
    ...producerArgs(request.producer),
    String(INLINE_BYTES),
    ...lifeArgs(sight),
    ...listArgs(request.guards ?? [], ({ key, field, equals }) => [key, field, equals]),
    ...listArgs(request.events, eventArgs),
    ...listArgs(request.riders ?? [], (rider) => [String(rider.length), ...rider]),
  ];
};

/** What the script answered. */
export const outcomeOf = ([status, ...rest]: readonly string[]): AppendOutcome => {
  switch (status) {
    case 'stored': {
      const [epoch = '', first, last, at] = rest;
      return { status, epoch, first: Number(first), last: Number(last), at: Number(at) };
    }
    case 'repeated':
      return { status, epoch: rest[0] ?? '', last: Number(rest[1]) };
    case 'fenced':
      return { status, epoch: Number(rest[0]) };
    case 'gap':
      return { status, expected: Number(rest[0]) };
    case 'guarded':
      return { status, failed: Number(rest[0]) };
    default:
      throw new Error(`The append script answered something unknown: ${String(status)}`);
  }
};
