/** A frame that many sessions are told alike. */
import type { ServerFrameName, ServerFrames } from '@triptych/protocol';

export interface Said {
  readonly text: string;
}

export const asSaid = <Name extends ServerFrameName>(event: Name, data: ServerFrames[Name]): Said => ({
  text: JSON.stringify({ event, data }),
});
