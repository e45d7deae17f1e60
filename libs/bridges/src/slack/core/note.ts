/** Draws what is said to one person: a sentence, in the channel or in the place of a modal. */
import type { Button, KnownBlock, ModalView } from '@slack/types';
import { visible } from '../../core/visible.js';
import { OPEN_ACTION, type Said } from './acts.js';
import { LIMITS } from './limits.js';
import { fitted, plain } from './text.js';

export const openButton = (link: string): Button => ({
  type: 'button',
  action_id: OPEN_ACTION,
  text: plain('Open in console', LIMITS.optionText),
  url: link,
});

const sentence = (text: string): KnownBlock => ({ type: 'section', text: plain(text, LIMITS.sectionText) });

/** With a way to the console, where that helps. */
export const slackNote = (text: string, link?: string): Said => ({
  text: fitted(visible(text), LIMITS.fallbackText).text,
  blocks: [
    sentence(text),
    ...(link === undefined ? [] : [{ type: 'actions' as const, elements: [openButton(link)] }]),
  ],
});

/** Takes the place of the modal whose submission came to nothing. */
export const noteView = (title: string, text: string): ModalView => ({
  type: 'modal',
  title: plain(title, LIMITS.modalTitle),
  close: plain('Close', LIMITS.modalTitle),
  blocks: [sentence(text)],
});
