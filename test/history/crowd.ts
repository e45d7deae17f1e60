/** Who reads a history: those who are there while it goes on, and those who come when all is over. */
import { SURFACES, type Surface } from '@triptych/protocol';
import { ClientReader } from './client-reader.js';
import { lastPlaceOf, type FinalLog } from './history.js';
import type { Crowd } from './nemeses.js';
import { RawReader, STEADY } from './raw-reader.js';
import type { HistoryReader, Seat } from './reader.js';
import type { Hub } from '../stand/hub.js';
import { StreamReader } from './stream-reader.js';

const PLAIN_READERS = 10;
const CLIENT_READERS = 3;
const STREAM_READERS = 3;

export type SeatFor = (name: string, surface: Surface, more?: Partial<Seat>) => Seat;

/** By surface and thread. */
export type Places = Readonly<Record<Surface, Readonly<Record<string, string>>>>;

const several = <T>(count: number, make: (nth: number, surface: Surface) => T): T[] =>
  Array.from({ length: count }, (_, nth) => make(nth, SURFACES[nth % SURFACES.length] as Surface));

export const livelyReaders = (seatFor: SeatFor, crowd: Crowd): readonly HistoryReader[] => [
  ...several(PLAIN_READERS, (nth, surface) => {
    const habits = { restless: nth % 3 !== 2, acks: nth % 2 === 0, fickle: nth % 4 === 1 };
    const burdens = { slow: nth < crowd.slow, stalls: nth < crowd.stalled };
    return new RawReader(seatFor(`socket-${nth}`, surface), { ...habits, ...burdens });
  }),
  ...several(CLIENT_READERS, (nth, surface) => new ClientReader(seatFor(`client-${nth}`, surface))),
  ...several(STREAM_READERS, (nth, surface) => new StreamReader(seatFor(`stream-${nth}`, surface))),
];

/** On every hub and by every door; `first` is where a surface stood before anything was said. */
export const coldReaders = (
  seatFor: SeatFor,
  hubs: readonly Hub[],
  first: Places,
): readonly HistoryReader[] => {
  const cold = SURFACES.flatMap((surface) => [
    ...hubs.map(
      (hub) => new RawReader(seatFor(`joined-${hub.name}`, surface, { hubs: [hub], cold: true }), STEADY),
    ),
    new RawReader(seatFor('replayed', surface, { cold: true }), { ...STEADY, from: first[surface] }),
    new StreamReader(seatFor('attached', surface, { cold: true })),
  ]);
  for (const reader of cold) reader.settle();
  return cold;
};

export const standTogether = (all: readonly HistoryReader[], logs: readonly FinalLog[]): boolean =>
  SURFACES.every((surface) =>
    logs.every((log) => {
      const readers = all.filter(({ seat }) => seat.surface === surface);
      const [place, ...others] = new Set(readers.map((one) => one.positionOf(log.threadId)));
      if (place === undefined || others.length > 0) return false;
      return surface !== 'operator' || place === lastPlaceOf(log);
    }),
  );
