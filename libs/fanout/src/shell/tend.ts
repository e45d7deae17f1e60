/** What is looked after once a second: rooms nobody uses, readers that hold too much, a store that is away. */
import type { ThreadId } from '@triptych/protocol';
import type { Reader } from '../core/reader.js';
import { shedOver } from '../core/send-window.js';
import type { Room } from './room.js';

/** A page that reloads, or a phone that changes its network, finds the room still warm. */
export const ROOM_IDLE_MS = 60_000;
/** After this a reader is better served by another instance than by waiting here. */
export const STORE_AWAY_MS = 30_000;

const readersIn = (rooms: Iterable<Room>): readonly Reader[] => {
  const readers = new Set<Reader>();
  for (const room of rooms)
    for (const lane of room.lanes()) for (const seat of lane.seats) readers.add(seat.reader);
  return [...readers];
};

export const dropIdle = (rooms: Map<ThreadId, Room>, now: number): void => {
  for (const [thread, room] of rooms) {
    room.emptySince = room.empty ? (room.emptySince ?? now) : undefined;
    if (room.emptySince === undefined || now - room.emptySince < ROOM_IDLE_MS) continue;
    room.close();
    rooms.delete(thread);
  }
};

export const leaveAway = (rooms: Iterable<Room>, now: number): void => {
  const away = [...rooms].filter(
    (room) => room.awaySince !== undefined && now - room.awaySince >= STORE_AWAY_MS,
  );
  for (const reader of readersIn(away)) reader.close('STORE_AWAY');
};

/** What all readers hold together stays within the budget; who holds most goes first. */
export const shedSlowest = (rooms: Iterable<Room>): void => {
  const readers = readersIn(rooms);
  for (const nth of shedOver(readers.map((reader) => reader.unsent()))) readers[nth]?.close('SLOW');
};
