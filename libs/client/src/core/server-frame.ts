/** Reads a text frame of the hub; what this version does not know is nothing. */
import type { ServerFrame, ServerFrameName } from '@triptych/protocol';

const KNOWN: Readonly<Record<ServerFrameName, true>> = {
  ready: true,
  reply: true,
  refused: true,
  snapshot: true,
  agui: true,
  head: true,
  task: true,
  counts: true,
  'inbox.reset': true,
  thread: true,
  unsubscribed: true,
  'auth.expiring': true,
  closing: true,
  pong: true,
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // A hub never sends this; a proxy's error page might come this way and means nothing to us.
    return undefined;
  }
};

/** CLI-3: unknown frames are ignored, so an older client survives a newer hub. */
export const readServerFrame = (text: string): ServerFrame | undefined => {
  const frame = parse(text);
  if (typeof frame !== 'object' || frame === null || !('event' in frame)) return undefined;
  if (typeof frame.event !== 'string' || !Object.hasOwn(KNOWN, frame.event)) return undefined;
  const data = 'data' in frame ? frame.data : {};
  return { ...frame, data } as ServerFrame;
};
