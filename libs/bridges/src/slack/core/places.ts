/** Knows the place in Slack where somebody acted. */
import type { Destination, SlackDestination } from '../../core/destination.js';

export type SlackPlaces = (channel: string, user: string) => SlackDestination | undefined;

/** A person's direct messages are named by the person, and have a channel of their own that nobody else is in. */
const isDirect = (channel: string): boolean => channel.startsWith('D');

export const slackPlaces = (destinations: Iterable<Destination>): SlackPlaces => {
  const places = new Map(
    [...destinations].flatMap((place) => (place.kind === 'slack' ? [[place.address, place] as const] : [])),
  );
  return (channel, user) => places.get(channel) ?? (isDirect(channel) ? places.get(user) : undefined);
};
