/** Reads what Slack tells of a person who acted: who, where, what on, and how it is known again. */
import { refuse, ok, type Result } from '@triptych/protocol';
import { ACTION_PREFIX, CARD_ACTS, type CardAct } from './acts.js';
import { modalActOf, type ModalAct, type ModalFrom } from './modal.js';

type Members = Readonly<Record<string, unknown>>;

/** Who acted, as Slack names them. */
export interface SlackCaller {
  readonly user: string;
  /** The workspace that the person is of; another than `team` is a guest from a shared channel. */
  readonly userTeam: string;
  /** The workspace whose installation was acted on. */
  readonly team: string;
  readonly app: string;
  readonly enterprise?: string;
}

interface Common {
  readonly by: SlackCaller;
  /** The same when Slack tells of it again. */
  readonly dedupeKey: string;
}

export type Interaction =
  | (Common & {
      readonly kind: 'click';
      readonly act: CardAct;
      readonly value: string;
      readonly channel: string;
      readonly ts: string;
      readonly trigger: string;
    })
  | (Common & {
      readonly kind: 'submission';
      readonly act: ModalAct;
      readonly from: ModalFrom;
      readonly values: unknown;
    })
  /** Nothing of ours: it is acknowledged and no more. */
  | { readonly kind: 'other' };

/** Ids of Slack's are short words. */
const MAX_ID = 255;
const MAX_VALUE = 2_000;
const OTHER: Interaction = { kind: 'other' };

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const members = (value: unknown): Members => (isMembers(value) ? value : {});
const idIn = (holder: unknown, name: string): string | undefined => {
  const id = members(holder)[name];
  return typeof id === 'string' && id !== '' && id.length <= MAX_ID ? id : undefined;
};
const invalid = (pointer: string): Result<never> => refuse('INVALID_INPUT', { details: { pointer } });

const callerIn = (payload: Members): SlackCaller | undefined => {
  const { user: person, team: workspace, enterprise: grid } = payload;
  const [user, team, app] = [idIn(person, 'id'), idIn(workspace, 'id'), idIn(payload, 'api_app_id')];
  const enterprise = idIn(grid, 'id');
  if (user === undefined || team === undefined || app === undefined) return undefined;
  // Whoever is of another workspace is said to be; of a person without a word it is not assumed.
  const userTeam = idIn(person, 'team_id') ?? '';
  return { user, userTeam, team, app, ...(enterprise === undefined ? {} : { enterprise }) };
};

const actOf = (actionId: unknown): CardAct | undefined =>
  CARD_ACTS.find((act) => actionId === `${ACTION_PREFIX}${act}`);

const clickIn = (payload: Members, by: SlackCaller): Result<Interaction> => {
  const { actions, container, trigger_id: trigger } = payload;
  const action = members(Array.isArray(actions) ? actions[0] : undefined);
  const act = actOf(action['action_id']);
  if (!act) return ok(OTHER);
  const { value } = action;
  const [channel, ts] = [idIn(container, 'channel_id'), idIn(container, 'message_ts')];
  const at = idIn(action, 'action_ts');
  if (typeof value !== 'string' || value.length > MAX_VALUE) return invalid('/actions/0/value');
  if (channel === undefined || ts === undefined) return invalid('/container');
  if (at === undefined) return invalid('/actions/0/action_ts');
  if (typeof trigger !== 'string') return invalid('/trigger_id');
  const dedupeKey = ['click', by.team, channel, ts, at, by.user].join(':');
  return ok({ kind: 'click', act, value, channel, ts, trigger, by, dedupeKey });
};

const parsed = (text: unknown): unknown => {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    // Metadata that is not ours: answered as such.
    return undefined;
  }
};

const submissionIn = (payload: Members, by: SlackCaller): Result<Interaction> => {
  const view = members(payload['view']);
  const act = modalActOf(view['callback_id']);
  if (!act) return ok(OTHER);
  const { value, channel } = members(parsed(view['private_metadata']));
  if (typeof value !== 'string' || typeof channel !== 'string') return invalid('/view/private_metadata');
  const [id, hash] = [idIn(view, 'id'), idIn(view, 'hash')];
  if (id === undefined || hash === undefined) return invalid('/view');
  // Slack says nothing of when it was pressed: whoever mends a refused form presses again, with another trigger.
  const dedupeKey = ['view', id, hash, idIn(payload, 'trigger_id') ?? ''].join(':');
  const { values } = members(view['state']);
  return ok({ kind: 'submission', act, from: { value, channel }, values, by, dedupeKey });
};

export const interactionIn = (payload: unknown): Result<Interaction> => {
  if (!isMembers(payload)) return invalid('/payload');
  const { type } = payload;
  if (type !== 'block_actions' && type !== 'view_submission') return ok(OTHER);
  const by = callerIn(payload);
  if (!by) return invalid('/user');
  return type === 'block_actions' ? clickIn(payload, by) : submissionIn(payload, by);
};

/** `body`: a form whose `payload` is JSON. */
export const parseInteraction = (body: string): Result<Interaction> =>
  interactionIn(parsed(new URLSearchParams(body).get('payload') ?? undefined));

export type SlackEvent =
  | { readonly kind: 'challenge'; readonly challenge: string }
  | { readonly kind: 'event'; readonly type: string; readonly team: string; readonly dedupeKey: string }
  | { readonly kind: 'other' };

export const eventIn = (payload: unknown): Result<SlackEvent> => {
  if (!isMembers(payload)) return invalid('');
  const { type, challenge } = payload;
  if (type === 'url_verification')
    return typeof challenge === 'string' ? ok({ kind: 'challenge', challenge }) : invalid('/challenge');
  const [id, team] = [idIn(payload, 'event_id'), idIn(payload, 'team_id')];
  if (type !== 'event_callback' || id === undefined || team === undefined) return ok({ kind: 'other' });
  return ok({ kind: 'event', type: idIn(payload['event'], 'type') ?? '', team, dedupeKey: `event:${id}` });
};

/** `body`: JSON, as the Events API sends it. */
export const parseEvent = (body: string): Result<SlackEvent> => eventIn(parsed(body));
