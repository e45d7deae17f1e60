/** What an activity says about where and to whom the bot may speak by itself. */
import type { Activity } from './activity.js';
import { placeIdOf } from './activity.js';

/** A conversation in which the app is installed. */
export interface Place {
  readonly conversation: string;
  readonly kind: string;
  readonly serviceUrl: string;
  /** Of Entra. */
  readonly tenant: string;
  /** Whose own chat with the bot it is. */
  readonly with?: readonly string[];
}

/** One person, by both names. */
export interface Acquaintance {
  readonly aadObjectId: string;
  readonly mri: string;
}

export interface Learned {
  readonly keep?: Place;
  readonly forget?: string;
  readonly met?: Acquaintance;
}

const PERSONAL = 'personal';

const placeOf = (activity: Activity): Place => {
  const { serviceUrl, conversation, channelData, from } = activity;
  const kind = conversation.conversationType;
  const names = from.aadObjectId === undefined ? [from.id] : [from.aadObjectId, from.id];
  return {
    conversation: placeIdOf(activity),
    kind,
    serviceUrl,
    tenant: channelData.tenant.id,
    ...(kind === PERSONAL ? { with: names } : {}),
  };
};

const hasLeft = ({ type, action, membersRemoved, recipient }: Activity): boolean =>
  (type === 'installationUpdate' && action.startsWith('remove')) ||
  (type === 'conversationUpdate' && membersRemoved.some(({ id }) => id === recipient.id));

/** Addresses of the service may change: every activity tells the newest. */
export const learnFrom = (activity: Activity): Learned => {
  const { from } = activity;
  const met = from.aadObjectId === undefined ? {} : { met: { aadObjectId: from.aadObjectId, mri: from.id } };
  return hasLeft(activity) ? { forget: placeIdOf(activity), ...met } : { keep: placeOf(activity), ...met };
};
