/** Draws a task as an Adaptive Card: the same task and viewer, the same card. */
import type { TaskView } from '@triptych/protocol';
import { nameIn, type Names } from '../../core/names.js';
import { argsOf, isAnswerable } from '../../core/task-facts.js';
import { timeText } from '../../core/time-text.js';
import {
  type AdaptiveCard,
  type Element,
  heading,
  notice,
  type RichTextBlock,
  type TextRun,
} from './adaptive-card.js';
import { actionsFor, refreshWith } from './card-actions.js';
import { shown } from './card-text.js';
import type { Viewer } from './viewer.js';
import { standingOf, titleOf, valueText } from './card-words.js';

export interface CardTerms {
  /** The task's page in the console. */
  readonly link: string;
  /** What stands in the buttons: an opaque name of task and revision. */
  readonly value: string;
  readonly names: Names;
}

/** A message of Teams holds 28 KB; what is around the card takes some of it. */
export const MAX_CARD_BYTES = 24 * 1024;
/** Teams takes no more of them. */
export const MAX_REFRESH_USERS = 60;

const LABEL_BYTES = 80;
const FACT_BYTES = 240;
const MESSAGE_BYTES = 1_500;
const STANDING_BYTES = 600;
const FALLBACK_BYTES = 300;
/** Top-level values shown by name; the rest is in the JSON below them. */
const MAX_FACTS = 8;

/** How much is shown; what does not fit is in the console. */
interface Room {
  readonly argsBytes: number;
  readonly form: boolean;
}
const ROOMS: readonly [Room, ...Room[]] = [
  { argsBytes: 6_000, form: true },
  { argsBytes: 6_000, form: false },
  { argsBytes: 1_000, form: false },
];

const run = (text: string, look: Partial<TextRun> = {}): TextRun => ({ type: 'TextRun', text, ...look });
const line = (...inlines: readonly TextRun[]): RichTextBlock => ({
  type: 'RichTextBlock',
  inlines,
  spacing: 'Small',
});
const fact = (label: string, value: string): RichTextBlock =>
  line(
    run(`${shown(label, LABEL_BYTES).text}: `, { weight: 'Bolder' }),
    run(shown(value, FACT_BYTES).text || '–'),
  );

const isBag = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** What would run now, an edit included. */

const scalarsOf = (args: unknown): readonly RichTextBlock[] =>
  isBag(args)
    ? Object.entries(args)
        .filter(([, value]) => isScalar(value))
        .slice(0, MAX_FACTS)
        .map(([key, value]) => fact(key, valueText(value)))
    : [];

const factsOf = (task: TaskView, names: Names): readonly RichTextBlock[] => [
  ...(task.proposal.toolName === undefined ? [] : [fact('Action', task.proposal.toolName)]),
  ...scalarsOf(argsOf(task)),
  ...(task.edit ? [fact('Edited by', nameIn(names, task.edit.by))] : []),
  fact('Requested by', nameIn(names, task.requester)),
  fact('Agent', task.agentId),
  ...(isAnswerable(task) ? [fact('Due', timeText(task.dueAt ?? task.expiresAt))] : []),
];

const whole = (task: TaskView): string | undefined => {
  const args = argsOf(task);
  return args === undefined ? task.proposal.argsText : JSON.stringify(args, null, 2);
};

const argsBlock = (task: TaskView, { argsBytes }: Room): readonly Element[] => {
  const text = whole(task);
  if (text === undefined) return [];
  const { text: seen, isCut } = shown(text, argsBytes);
  const block: RichTextBlock = {
    type: 'RichTextBlock',
    inlines: [run(seen, { fontType: 'Monospace' })],
    separator: true,
  };
  return isCut ? [block, notice('This is not all of it: the rest is in the console.')] : [block];
};

/** The agent's words are told from ours. */
const messageOf = ({ message }: TaskView): readonly Element[] =>
  message === undefined
    ? []
    : [line(run('The agent says: ', { isSubtle: true }), run(shown(message, MESSAGE_BYTES).text))];

const standing = (task: TaskView, names: Names): readonly Element[] => {
  const text = standingOf(task, names);
  const reason = task.decision?.reason;
  return [
    ...(text === undefined ? [] : [line(run(shown(text, STANDING_BYTES).text, { weight: 'Bolder' }))]),
    ...(reason === undefined ? [] : [fact('Reason', reason)]),
  ];
};

const told = (viewer: Viewer): readonly Element[] =>
  viewer.kind === 'person' && viewer.told !== undefined ? [notice(viewer.told)] : [];

const refreshOf = (task: TaskView, viewer: Viewer, { value }: CardTerms): Pick<AdaptiveCard, 'refresh'> => {
  if (viewer.kind !== 'everybody' || viewer.refreshFor.length === 0 || !isAnswerable(task)) return {};
  const userIds = viewer.refreshFor.slice(0, MAX_REFRESH_USERS);
  return { refresh: { action: refreshWith(value), userIds } };
};

interface Drawing {
  readonly task: TaskView;
  readonly viewer: Viewer;
  readonly terms: CardTerms;
}

const draw = ({ task, viewer, terms }: Drawing, room: Room): AdaptiveCard => {
  const title = titleOf(task);
  const actions = actionsFor(task, viewer, { ...terms, form: room.form });
  return {
    type: 'AdaptiveCard',
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    version: '1.5',
    fallbackText: shown(
      `${title}: ${task.proposal.toolName ?? task.reason}. Open it in the console.`,
      FALLBACK_BYTES,
    ).text,
    body: [
      heading(title),
      ...told(viewer),
      ...standing(task, terms.names),
      ...factsOf(task, terms.names),
      ...messageOf(task),
      ...argsBlock(task, room),
    ],
    actions,
    ...refreshOf(task, viewer, terms),
  };
};

export const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

export const taskCard = (task: TaskView, viewer: Viewer, terms: CardTerms): AdaptiveCard => {
  const cards = ROOMS.map((room) => draw({ task, viewer, terms }, room));
  return (
    cards.find((card) => bytesOf(card) <= MAX_CARD_BYTES) ??
    draw({ task, viewer, terms }, { argsBytes: 0, form: false })
  );
};
