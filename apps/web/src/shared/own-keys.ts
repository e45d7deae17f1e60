/** Whose a key is: text of a field, a key of this surface, or of another one on the same page. */

const TYPING = 'input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]';

export const isTyping = (target: HTMLElement): boolean => target.closest(TYPING) !== null;

/** `own`: what only this surface holds. Outside of all surfaces a key is everybody's. */
export const isElsewhere = (target: HTMLElement, own: string): boolean => {
  const surface = target.closest('.surface');
  return surface !== null && surface.querySelector(own) === null;
};
