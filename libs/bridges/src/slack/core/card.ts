/** Draws a task as a Slack message: a pure function of the task as a channel may see it. */
import type { ActionsBlock, Button, ContextBlock, SectionBlock } from '@slack/types';
import type { TaskView } from '@triptych/protocol';
import { nameIn, type Names } from '../../core/names.js';
import { timeText } from '../../core/time-text.js';
import { visible } from '../../core/visible.js';
import { ACTION_PREFIX, CARD_ACTS, type CardAct, type Said } from './acts.js';
import { argsBlocks } from './args-block.js';
import { LIMITS } from './limits.js';
import { openButton } from './note.js';
import { isDecision, offersOf } from './offers.js';
import { standingOf, type NameOf } from './standing.js';
import { fitted, marked, plain } from './text.js';

export interface CardOf {
  readonly task: TaskView;
  /** Of the people in it. */
  readonly names: Names;
  /** Its rule lets it be decided in a chat. */
  readonly chat: boolean;
  /** Where it is opened in the console. */
  readonly link: string;
  /** What its buttons carry: a sealed name, never arguments. */
  readonly value: string;
}

const LABELS: Readonly<Record<CardAct, string>> = {
  approve: 'Approve',
  reject: 'Reject…',
  respond: 'Answer…',
  edit: 'Edit…',
  claim: 'Claim',
};
const SHOWN_MATCHES = 3;

const titleOf = (task: TaskView): string => {
  const { toolName } = task.proposal;
  if (!isDecision(task)) return 'A question from an agent';
  return toolName === undefined ? 'Approval needed' : `Approval needed: ${toolName}`;
};

/** Everybody reads it in their own time. */
const moment = (ms: number): string =>
  `<!date^${Math.floor(ms / 1_000)}^{date_short_pretty}, {time}|${timeText(ms)}>`;

/** What a rule looked at, by its last name: the figures come from the parsed arguments, never from the agent's words. */
const matchFields = ({ policy }: TaskView): readonly (readonly [string, string])[] =>
  policy.matched
    .filter(({ pointer }) => pointer !== '')
    .slice(0, SHOWN_MATCHES)
    .map(({ pointer, got }) => [pointer.slice(pointer.lastIndexOf('/') + 1), JSON.stringify(got) ?? '']);

const fieldsOf = ({ task, names }: CardOf): SectionBlock => {
  const { requester, agentId, groups, dueAt, proposal } = task;
  const said: readonly (readonly [string, string])[] = [
    ...(proposal.toolName === undefined ? [] : [['Tool', proposal.toolName] as const]),
    ...matchFields(task),
    ['Requested by', nameIn(names, requester)],
    ['Agent', agentId],
    ...(groups.length === 0 ? [] : [['For', groups.join(', ')] as const]),
  ];
  const due = dueAt === undefined ? [] : [marked(`Due\n${moment(dueAt)}`)];
  return {
    type: 'section',
    fields: [...said.map(([label, text]) => plain(`${label}\n${text}`, LIMITS.field)), ...due].slice(
      0,
      LIMITS.fields,
    ),
  };
};

const messageBlocks = ({ message }: TaskView): readonly SectionBlock[] =>
  message === undefined || message.trim() === ''
    ? []
    : [{ type: 'section', text: plain(`The agent says: ${message}`, LIMITS.sectionText) }];

const editBlocks = ({ edit }: TaskView, nameOf: NameOf): readonly ContextBlock[] =>
  edit ? [{ type: 'context', elements: [plain(`Edited by ${nameOf(edit.by)}.`, LIMITS.contextText)] }] : [];

const confirmOf = ({ task, names }: CardOf): Button['confirm'] => {
  const { proposal, requester } = task;
  const what = proposal.toolName ?? 'This';
  return {
    title: plain('Approve this?', LIMITS.confirmText),
    text: plain(`${what}, requested by ${nameIn(names, requester)}.`, LIMITS.confirmText),
    confirm: plain('Approve', LIMITS.confirmText),
    deny: plain('Back', LIMITS.confirmText),
  };
};

const STYLES: Readonly<Partial<Record<CardAct, 'primary' | 'danger'>>> = {
  approve: 'primary',
  reject: 'danger',
};

const buttonFor = (card: CardOf, act: CardAct): Button => ({
  type: 'button',
  action_id: `${ACTION_PREFIX}${act}`,
  text: plain(LABELS[act], LIMITS.optionText),
  value: card.value,
  ...(STYLES[act] ? { style: STYLES[act] } : {}),
  ...(act === 'approve' ? { confirm: confirmOf(card) } : {}),
});

const actionsOf = (card: CardOf): ActionsBlock => {
  const offers = offersOf(card.task, card.chat);
  const elements = [
    ...CARD_ACTS.filter((act) => offers.has(act)).map((act) => buttonFor(card, act)),
    openButton(card.link),
  ];
  return { type: 'actions', block_id: 'acts', elements };
};

export const slackCard = (card: CardOf): Said => {
  const { task, names } = card;
  const nameOf: NameOf = (subject) => nameIn(names, subject);
  const [title, standing] = [titleOf(task), standingOf(task, nameOf)];
  const reason = task.decision?.reason;
  return {
    text: fitted(visible(`${title}. ${standing}`), LIMITS.fallbackText).text,
    blocks: [
      { type: 'header', text: plain(title, LIMITS.header) },
      ...messageBlocks(task),
      fieldsOf(card),
      ...argsBlocks(task),
      ...editBlocks(task, nameOf),
      { type: 'section', text: plain(standing, LIMITS.sectionText) },
      ...(reason === undefined
        ? []
        : [{ type: 'context' as const, elements: [plain(`Reason: ${reason}`, LIMITS.contextText)] }]),
      actionsOf(card),
    ],
  };
};
