/** Draws the modal in which somebody says why, answers, or changes the arguments. */
import type { KnownBlock, ModalView } from '@slack/types';
import type { TaskView } from '@triptych/protocol';
import { argsOf } from '../../core/task-facts.js';
import { answerForm, editForm, type Form } from './form.js';
import { inputBlocks } from './inputs.js';
import { LIMITS } from './limits.js';
import { openButton } from './note.js';
import { marked, plain } from './text.js';

export const MODAL_ACTS = ['reject', 'respond', 'edit'] as const;
export type ModalAct = (typeof MODAL_ACTS)[number];

/** Where a modal was opened from, and what its card showed. */
export interface ModalFrom {
  readonly value: string;
  readonly channel: string;
}

const CALLBACK = /^tt\.(reject|respond|edit)$/u;
const TITLES: Readonly<Record<ModalAct, string>> = {
  reject: 'Reject',
  respond: 'Answer',
  edit: 'Edit and approve',
};

/** As long as a reason may be here; the console takes longer ones. */
const REASON_FORM: Form = {
  isObject: true,
  fields: [
    { kind: 'text', name: 'reason', label: 'Reason', required: false, least: 0, most: LIMITS.inputText },
  ],
};

/** undefined: a modal cannot ask for it. */
export const formFor = (act: ModalAct, task: TaskView): Form | undefined => {
  switch (act) {
    case 'reject':
      return REASON_FORM;
    case 'respond':
      return answerForm(task.responseSchema);
    case 'edit':
      return editForm(task.responseSchema, argsOf(task));
  }
};

const aboutOf = ({ proposal, message }: TaskView): string =>
  [proposal.toolName, message].filter((text) => text !== undefined && text.trim() !== '').join(': ');

const shell = (act: ModalAct, blocks: readonly KnownBlock[]): ModalView => ({
  type: 'modal',
  callback_id: `tt.${act}`,
  title: plain(TITLES[act], LIMITS.modalTitle),
  close: plain('Back', LIMITS.modalTitle),
  blocks: [...blocks],
});

/** In place of a form that a modal cannot hold. */
const consoleView = (act: ModalAct, link: string): ModalView =>
  shell(act, [
    {
      type: 'section',
      text: marked('This is answered in the console: a form here could not hold all of it.'),
    },
    {
      type: 'actions',
      elements: [openButton(link)],
    },
  ]);

export interface ModalOf {
  readonly task: TaskView;
  readonly from: ModalFrom;
  /** Where it is opened in the console. */
  readonly link: string;
  /** Whether the place shows all of the arguments that the person may see. */
  readonly showsAll: boolean;
}

export const modalFor = (act: ModalAct, { task, from, link, showsAll }: ModalOf): ModalView => {
  const form = act === 'edit' && !showsAll ? undefined : formFor(act, task);
  if (!form) return consoleView(act, link);
  const about = aboutOf(task);
  const said: readonly KnownBlock[] =
    about === '' ? [] : [{ type: 'section', text: plain(about, LIMITS.sectionText) }];
  return {
    ...shell(act, [...said, ...inputBlocks(form)]),
    submit: plain(TITLES[act], LIMITS.modalTitle),
    private_metadata: JSON.stringify(from),
  };
};

export const modalActOf = (callbackId: unknown): ModalAct | undefined =>
  typeof callbackId === 'string' ? (CALLBACK.exec(callbackId)?.[1] as ModalAct | undefined) : undefined;
