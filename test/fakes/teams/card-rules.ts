/** What Teams takes as a message with a card, and what it says of one that it does not take. */
const MESSAGE_BYTES = 28 * 1024;
const MAX_REFRESH_USERS = 60;
const CARD = 'application/vnd.microsoft.card.adaptive';

type Bag = Readonly<Record<string, unknown>>;
const isBag = (value: unknown): value is Bag =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: unknown): readonly Bag[] => (Array.isArray(value) ? value.filter(isBag) : []);

const ELEMENTS = new Set([
  'TextBlock',
  'RichTextBlock',
  'Container',
  'ColumnSet',
  'FactSet',
  'ActionSet',
  'Input.Text',
  'Input.Number',
  'Input.Date',
  'Input.Toggle',
  'Input.ChoiceSet',
]);
const ACTIONS = new Set(['Action.Execute', 'Action.OpenUrl', 'Action.ShowCard', 'Action.Submit']);

/** Every action of a card, those inside unfolding cards included. */
export const actionsOf = (card: Bag): readonly Bag[] =>
  list(card.actions).flatMap((action) =>
    isBag(action.card) ? [action, ...actionsOf(action.card)] : [action],
  );

const actionFaults = (action: Bag): readonly string[] => {
  if (!ACTIONS.has(String(action.type))) return [`unknown action ${String(action.type)}`];
  if (action.type === 'Action.Execute' && typeof action.verb !== 'string')
    return ['an Execute without a verb'];
  if (action.type === 'Action.OpenUrl' && !URL.canParse(String(action.url))) return ['a link that is none'];
  return typeof action.title === 'string' && action.title !== '' ? [] : ['an action without a title'];
};

const inputFaults = (elements: readonly Bag[]): readonly string[] => {
  const ids = elements.filter(({ type }) => String(type).startsWith('Input.')).map(({ id }) => id);
  if (ids.some((id) => typeof id !== 'string' || id === '')) return ['an input without an id'];
  return new Set(ids).size === ids.length ? [] : ['two inputs with one id'];
};

const elementFaults = (elements: readonly Bag[]): readonly string[] =>
  elements.flatMap((element) => {
    if (!ELEMENTS.has(String(element.type))) return [`unknown element ${String(element.type)}`];
    if (element.type === 'TextBlock' && typeof element.text !== 'string') return ['a TextBlock without text'];
    return [];
  });

const refreshFaults = ({ refresh }: Bag): readonly string[] => {
  if (refresh === undefined) return [];
  if (!isBag(refresh) || !isBag(refresh.action)) return ['a refresh without an action'];
  const { userIds } = refresh;
  if (!Array.isArray(userIds)) return [];
  if (userIds.length > MAX_REFRESH_USERS) return ['more than 60 users to refresh for'];
  return userIds.every((id) => String(id).startsWith('29:')) ? [] : ['a user to refresh for who is none'];
};

/** Nothing: it is a card. */
export const cardFaults = (card: unknown): readonly string[] => {
  if (!isBag(card) || card.type !== 'AdaptiveCard') return ['no AdaptiveCard'];
  if (!['1.4', '1.5'].includes(String(card.version))) return [`version ${String(card.version)}`];
  const inner = actionsOf(card).flatMap(({ card: unfolded }) => (isBag(unfolded) ? [unfolded] : []));
  const elements = [card, ...inner].flatMap(({ body }) => list(body));
  return [
    ...elementFaults(elements),
    ...inputFaults(elements),
    ...actionsOf(card).flatMap(actionFaults),
    ...refreshFaults(card),
  ];
};

export interface Objection {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

export const cardIn = (activity: Bag): Bag | undefined => {
  const [attachment] = list(activity.attachments);
  return attachment?.contentType === CARD && isBag(attachment.content) ? attachment.content : undefined;
};

/** Undefined: it is taken. */
export const objectionTo = (activity: Bag, bytes: number): Objection | undefined => {
  if (bytes > MESSAGE_BYTES)
    return { status: 413, code: 'MessageSizeTooBig', message: 'Message size too large.' };
  if (activity.type !== 'message' && activity.type !== 'typing')
    return { status: 400, code: 'BadSyntax', message: 'Unknown activity type.' };
  const faults = list(activity.attachments).flatMap(({ contentType, content }) =>
    contentType === CARD ? cardFaults(content) : [],
  );
  if (faults.length === 0) return undefined;
  return { status: 400, code: 'BadSyntax', message: `Invalid card: ${faults.join('; ')}` };
};
