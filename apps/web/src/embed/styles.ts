/** The looks of the chat as one sheet for its shadow root, in the order of the pages' own. */
import asking from '../customer/asking.css?inline';
import cards from '../customer/cards.css?inline';
import composer from '../customer/composer.css?inline';
import customer from '../customer/customer.css?inline';
import talk from '../customer/talk.css?inline';
import waiting from '../customer/waiting.css?inline';
import base from '../shared/styles/base.css?inline';
import choices from '../shared/styles/choices.css?inline';
import controls from '../shared/styles/controls.css?inline';
import status from '../shared/styles/status.css?inline';
import tokens from '../shared/styles/tokens.css?inline';
import embed from './embed.css?inline';
import { openToHost } from './open-to-host.js';

const PARTS = [
  openToHost(tokens),
  base,
  controls,
  choices,
  status,
  customer,
  talk,
  cards,
  asking,
  waiting,
  composer,
];

/** A page that unset everything made the chat a piece of a line, which it cannot be. */
const BLOCK = `:host {
  display: block !important;
  block-size: var(--triptych-height, 640px) !important;
}`;

const sheetOf = (text: string): CSSStyleSheet => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
};

let shared: CSSStyleSheet | undefined;

/** Sheets made by script are no inline style: no content policy stands against them, and all chats share one. */
export const dress = (shadow: ShadowRoot): void => {
  shared ??= sheetOf([...PARTS, embed].join('\n'));
  shadow.adoptedStyleSheets = [shared];
  if (getComputedStyle(shadow.host).display === 'inline')
    shadow.adoptedStyleSheets = [shared, sheetOf(BLOCK)];
};
