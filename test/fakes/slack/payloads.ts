/** What Slack tells an app when a person presses a button or submits a modal. */
import type { Members } from './answers.js';
import { isList, isMembers } from './text-rules.js';
import { APP, TEAM, type OpenView, type World } from './world.js';
import { shownView } from './methods/views.js';
import { shown } from './methods/method.js';

export interface Click {
  readonly user: string;
  readonly channel: string;
  /** Of the message. */
  readonly ts: string;
  readonly action: string;
  /** What a forger puts in the place of the button's own. */
  readonly value?: string;
  /** What a forger says of where this comes from. */
  readonly forged?: Members;
}

export interface Submit {
  /** The view's id. */
  readonly view: string;
  /** By block: text, a chosen value, or several. */
  readonly values: Readonly<Record<string, string | readonly string[]>>;
}

const personOf = (world: World, id: string): Members => {
  const person = world.people.get(id);
  if (!person) throw new Error(`There is no ${id}.`);
  return { id, username: person.name, name: person.name, team_id: person.team };
};

const around = (world: World, user: string): Members => ({
  team: { id: TEAM, domain: 'home' },
  enterprise: null,
  is_enterprise_install: false,
  api_app_id: APP,
  token: 'legacy-verification-token',
  user: personOf(world, user),
});

/** The button as it is on the card now, with the block it is in. */
const buttonIn = (blocks: readonly Members[], action: string): Members => {
  for (const block of blocks)
    for (const element of isList(block['elements']) ? block['elements'] : [])
      if (isMembers(element) && element['action_id'] === action)
        return { ...element, block_id: block['block_id'] ?? 'b1' };
  throw new Error(`The card has no ${action}.`);
};

export const clickPayload = (
  world: World,
  {
    user,
    channel,
    ts,
    action,
    value,
    forged,
    trigger,
    hook,
  }: Click & { readonly trigger: string; readonly hook: string },
): Members => {
  const message = world.find(channel, ts);
  if (!message) throw new Error(`There is no message ${ts}.`);
  const {
    text,
    block_id: blockId,
    ...button
  } = value === undefined
    ? buttonIn(message.blocks, action)
    : { type: 'button', action_id: action, block_id: 'b1', text: { type: 'plain_text', text: 'x' } };
  return {
    type: 'block_actions',
    ...around(world, user),
    container: { type: 'message', message_ts: ts, channel_id: channel, is_ephemeral: false },
    trigger_id: trigger,
    channel: { id: channel, name: world.channels.get(channel)?.name ?? '' },
    message: shown(message, false),
    state: { values: {} },
    response_url: hook,
    actions: [
      { ...button, text, block_id: blockId, value: value ?? button['value'], action_ts: world.nextTs() },
    ],
    ...forged,
  };
};

const optionOf = (element: Members, value: string): unknown =>
  (isList(element['options']) ? element['options'] : []).find(
    (option) => isMembers(option) && option['value'] === value,
  ) ?? null;

/** What an input holds when the modal is submitted: what was put in, else what it began with. */
const stateOf = (element: Members, value: string | readonly string[] | undefined): Members => {
  const { type, initial_value, initial_option, initial_options, initial_date } = element;
  const one = typeof value === 'string' ? value : undefined;
  switch (type) {
    case 'static_select':
    case 'radio_buttons':
      return { type, selected_option: one === undefined ? (initial_option ?? null) : optionOf(element, one) };
    case 'multi_static_select':
      return {
        type,
        selected_options: isList(value)
          ? value.map((each) => optionOf(element, String(each)))
          : (initial_options ?? []),
      };
    case 'datepicker':
      return { type, selected_date: one ?? initial_date ?? null };
    default:
      return { type, value: one ?? initial_value ?? null };
  }
};

const valuesOf = ({ view }: OpenView, values: Submit['values']): Members => {
  const blocks = isList(view['blocks']) ? view['blocks'] : [];
  const inputs = blocks.filter((block): block is Members => isMembers(block) && block['type'] === 'input');
  return Object.fromEntries(
    inputs.map(({ block_id: id, element }) => {
      const input = element as Members;
      return [String(id), { [String(input['action_id'])]: stateOf(input, values[String(id)]) }];
    }),
  );
};

export const submitPayload = (
  world: World,
  opened: OpenView,
  { values, trigger }: Submit & { readonly trigger: string },
): Members => ({
  type: 'view_submission',
  ...around(world, opened.user),
  trigger_id: trigger,
  view: { ...shownView(opened), state: { values: valuesOf(opened, values) } },
  response_urls: [],
});

export const eventPayload = (world: World, event: Members): Members => ({
  type: 'event_callback',
  token: 'legacy-verification-token',
  team_id: TEAM,
  api_app_id: APP,
  event_id: world.nextId('Ev'),
  event_time: Math.floor(world.now() / 1_000),
  event,
});
