/** The buttons of a card: what its viewer may do now, and nothing else. */
import type { TaskAction, TaskView } from '@triptych/protocol';
import { isAnswerable } from '../../core/task-facts.js';
import { type Action, type Execute, type Input, type OpenUrl, type Verb, verbName } from './adaptive-card.js';
import { fieldsOf, inputOf } from './schema-form.js';
import type { Viewer } from './viewer.js';

export interface ActionTerms {
  readonly link: string;
  readonly value: string;
  /** Whether there is room for the inputs of an answer. */
  readonly form: boolean;
}

/** A reason longer than this belongs into the console. */
const MAX_REASON_LENGTH = 1_000;
export const REASON = 'reason';

interface Press extends Pick<Execute, 'style' | 'associatedInputs'> {
  readonly title: string;
  readonly value: string;
}

const execute = (verb: Verb, { title, value, ...look }: Press): Execute => ({
  type: 'Action.Execute',
  title,
  verb: verbName(verb),
  data: { t: value },
  ...look,
  fallback: { type: 'Action.Submit', title, data: { t: value, verb: verbName(verb) } },
});

export const refreshWith = (value: string): Execute => {
  const { fallback: _fallback, ...plain } = execute('refresh', { title: 'Show what I may do', value });
  return plain;
};

const openIn = (url: string): OpenUrl => ({ type: 'Action.OpenUrl', title: 'Open in the console', url });

const reason: Input = {
  type: 'Input.Text',
  id: REASON,
  label: 'Why?',
  isMultiline: true,
  maxLength: MAX_REASON_LENGTH,
};

const folded = (title: string, body: readonly Input[], action: Execute): Action => ({
  type: 'Action.ShowCard',
  title,
  card: { type: 'AdaptiveCard', body, actions: [action] },
});

const respondWith = ({ responseSchema }: TaskView, { value, form }: ActionTerms): readonly Action[] => {
  const fields = form ? fieldsOf(responseSchema) : undefined;
  if (!fields) return [];
  const send = execute('respond', { title: 'Send', value, style: 'positive', associatedInputs: 'auto' });
  return [folded('Answer', fields.map(inputOf), send)];
};

const mayDo = (task: TaskView, may: readonly TaskAction[], terms: ActionTerms): readonly Action[] => {
  const { value } = terms;
  const none = { associatedInputs: 'none' } as const;
  const approve = (): Action[] => [
    execute('approve', { title: 'Approve', value, style: 'positive', ...none }),
  ];
  const reject = (): Action[] => {
    const send = execute('reject', {
      title: 'Reject',
      value,
      style: 'destructive',
      associatedInputs: 'auto',
    });
    return [folded('Reject …', [reason], send)];
  };
  return [
    ...(may.includes('approve') ? approve() : []),
    ...(may.includes('reject') ? reject() : []),
    ...(may.includes('respond') ? respondWith(task, terms) : []),
    ...(may.includes('claim') ? [execute('claim', { title: 'Claim', value, ...none })] : []),
  ];
};

export const actionsFor = (task: TaskView, viewer: Viewer, terms: ActionTerms): readonly Action[] => {
  const link = openIn(terms.link);
  if (!isAnswerable(task) || viewer.kind === 'reader') return [link];
  return viewer.kind === 'everybody'
    ? [refreshWith(terms.value), link]
    : [...mayDo(task, viewer.may, terms), link];
};
