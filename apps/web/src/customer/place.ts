/** Where the conversations are shown: on a page of our own, or as a guest on somebody else's. */
import { createContext, useContext } from 'react';

export interface Place {
  /** The open conversation; none: a new one is about to begin. */
  readonly current: string | undefined;
  readonly open: (threadId: string | undefined) => void;
  /** Only our own page has an address for each conversation. */
  readonly addressOf?: ((threadId: string) => string) | undefined;
  /** All talk here is with this agent. */
  readonly agentId?: string | undefined;
}

export const PlaceContext = createContext<Place | undefined>(undefined);

export const usePlace = (): Place => {
  const place = useContext(PlaceContext);
  if (place === undefined) throw new Error('Rendered without a place.');
  return place;
};
