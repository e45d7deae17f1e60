/** What a letter tells of a task, row by row. Figures are those of the arguments, never of the agent's words. */
import type { TaskView } from '@triptych/protocol';
import { nameIn, type Names } from '../../core/names.js';
import { argsOf } from '../../core/task-facts.js';
import { timeText } from '../../core/time-text.js';
import { safeText } from './safe-text.js';

export interface Row {
  readonly label: string;
  readonly value: string;
}

/** A letter is to be read on a phone; all of it is behind the link. */
const MAX_ARGUMENTS = 20;
const MAX_NAME = 60;
const MAX_VALUE = 300;
const MAX_MESSAGE = 1_000;

const row = (label: string, value: string | undefined, most = MAX_VALUE): Row[] =>
  value === undefined || value === '' ? [] : [{ label, value: safeText(value, most) }];

const at = (label: string, ms: number | undefined): Row[] =>
  ms === undefined ? [] : [{ label, value: timeText(ms) }];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Whatever an argument is called, it is none of the other rows. */
const nameOf = (name: string): string => `Argument ${safeText(name, MAX_NAME)}`;

const argumentRows = (task: TaskView): Row[] => {
  const { edit, proposal } = task;
  if (!edit && proposal.argsText !== undefined) return row('Arguments', proposal.argsText);
  const args = argsOf(task);
  if (typeof args !== 'object' || args === null)
    return args === undefined ? [] : row('Arguments', textOf(args));
  const all = Object.entries(args);
  const shown = all.slice(0, MAX_ARGUMENTS).flatMap(([name, value]) => row(nameOf(name), textOf(value)));
  const left = all.length - MAX_ARGUMENTS;
  return left > 0 ? [...shown, { label: 'And more', value: `${left} not shown here` }] : shown;
};

const called = (subject: string, names: Names): string => {
  const name = nameIn(names, subject);
  return name === subject ? subject : `${name} (${subject})`;
};

const decisionRows = ({ decision }: TaskView, names: Names): Row[] =>
  decision === undefined
    ? []
    : [
        ...row('Outcome', decision.kind),
        ...row('By', decision.by.map((subject) => called(subject, names)).join(', ')),
        ...at('At', decision.at),
        ...row('Reason', decision.reason, MAX_MESSAGE),
      ];

export const subjectMatter = ({ proposal, reason }: TaskView): string =>
  safeText(proposal.toolName ?? reason.replaceAll('_', ' '), MAX_NAME);

export const letterRows = (task: TaskView, names: Names): readonly Row[] => [
  ...row('Agent', task.agentId),
  ...row('Requested by', called(task.requester, names)),
  ...row('The agent says', task.message, MAX_MESSAGE),
  ...argumentRows(task),
  ...decisionRows(task, names),
  ...(task.decision ? [] : [...at('Due', task.dueAt), ...at('Open until', task.expiresAt)]),
];
