/** Reads what Teams sends, an activity of the Bot Framework, as far as the hub looks at it. */
import { z } from 'zod';
import { ok, refuse, type Result } from '@triptych/protocol';

/** Ids of Teams are long, but none is a document. */
const MAX_ID_LENGTH = 1_024;
const MAX_NAME_LENGTH = 256;
/** What would not fit into one roster page. */
const MAX_MEMBERS = 500;

const id = z.string().min(1).max(MAX_ID_LENGTH);
/** Absent is empty: whether it must be there is judged, not read. */
const perhaps = z.string().max(MAX_ID_LENGTH).catch('');
const account = z.object({
  id,
  aadObjectId: id.optional().catch(undefined),
  name: z.string().max(MAX_NAME_LENGTH).optional().catch(undefined),
});

const activity = z.object({
  type: id,
  id,
  name: perhaps,
  action: perhaps,
  channelId: perhaps,
  serviceUrl: perhaps,
  text: z.string().catch(''),
  replyToId: perhaps,
  value: z.unknown().optional(),
  from: account,
  recipient: z.object({ id: perhaps }).catch({ id: '' }),
  conversation: z.object({ id, conversationType: perhaps }),
  channelData: z.object({ tenant: z.object({ id: perhaps }) }).catch({ tenant: { id: '' } }),
  membersAdded: z.array(account).max(MAX_MEMBERS).catch([]),
  membersRemoved: z.array(account).max(MAX_MEMBERS).catch([]),
});

export type Activity = z.output<typeof activity>;

export const readActivity = (raw: unknown): Result<Activity> => {
  const read = activity.safeParse(raw);
  if (read.success) return ok(read.data);
  const pointer = (read.error.issues[0]?.path ?? []).map((part) => `/${String(part)}`).join('');
  return refuse('INVALID_INPUT', { message: 'This is no activity.', details: { pointer } });
};

/** Replies under one message of a channel are of that channel. */
export const placeIdOf = ({ conversation }: Pick<Activity, 'conversation'>): string =>
  conversation.id.split(';', 1)[0] ?? conversation.id;

/** Two spellings of a person: Entra's, by which people are linked, and the one that only this bot knows. */
export const namesOf = ({ id: mri, aadObjectId }: Activity['from']): readonly string[] =>
  aadObjectId === undefined ? [mri] : [aadObjectId, mri];
