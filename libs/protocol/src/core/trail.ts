/**
 * The record that every transition leaves by itself, as the trail's streams hold it until it is sealed.
 *
 * An entry of such a stream has one field, `record`: the text of a {@link TrailNote}. Its id tells when, by the store's
 * clock; together they are the {@link TrailRecord} that is sealed. Personal data is in `before` and `after` alone, save
 * for the names of whoever acted and where from.
 */
export const TRAIL_VIAS = ['web', 'api', 'agui', 'slack', 'teams', 'webhook', 'mail', 'system'] as const;
/** By which kind of door; `system`: the hub did it by itself. */
export type TrailVia = (typeof TRAIL_VIAS)[number];

export interface TrailActor {
  readonly id: string;
  /** The role that allowed it, where roles were asked. */
  readonly role?: string;
  readonly via: TrailVia;
}

/** What it was done to; an absent part was not concerned. */
export interface TrailSubject {
  readonly thread?: string;
  readonly run?: string;
  readonly batch?: string;
  readonly task?: string;
  readonly interrupt?: string;
  readonly toolCall?: string;
}

type Members = Readonly<Record<string, unknown>>;

export interface TrailNote {
  readonly tenant: string;
  readonly actor: TrailActor;
  /** `<kind>.<verb>`, such as `task.approve` or `batch.ready`. */
  readonly action: string;
  readonly subject: TrailSubject;
  /** What was changed, as it was; members that stayed the same are in neither. */
  readonly before?: Members;
  /** The same as it is now, and what was said with it. */
  readonly after?: Members;
  readonly proposalHash?: string;
  readonly payloadHash?: string;
  /** `<rule>@<version of the policy>`. */
  readonly policyId?: string;
  readonly requestId?: string;
  readonly ip?: string;
  readonly ua?: string;
}

export interface TrailRecord extends TrailNote {
  /** By the store's clock; Unix milliseconds. */
  readonly at: number;
}

export const trailText = (note: TrailNote): string => JSON.stringify(note);

/** The record in one entry of a trail's stream. */
export const trailRecordIn = (entryId: string, text: string): TrailRecord => ({
  ...(JSON.parse(text) as TrailNote),
  at: Number(entryId.split('-', 1)[0]),
});
