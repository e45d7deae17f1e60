/** The limits of a modal. */
import type { Members } from './answers.js';
import { blocksFaults, MAX_VIEW_BLOCKS } from './block-rules.js';
import { isList, isMembers, stringFaults, textFaults } from './text-rules.js';

const hasInput = (blocks: unknown): boolean =>
  isList(blocks) && blocks.some((block) => isMembers(block) && block['type'] === 'input');

const WORDS = ['title', 'submit', 'close'] as const;

export const viewFaults = (view: unknown): readonly string[] => {
  if (!isMembers(view)) return ['view must be an object'];
  const given: Members = view;
  return [
    ...(given['type'] === 'modal' ? [] : ['only modals can be opened']),
    ...WORDS.filter((word) => word === 'title' || given[word] !== undefined).flatMap((word) =>
      textFaults(given[word], { where: `json-pointer:/view/${word}`, most: 24, plain: true }),
    ),
    ...(hasInput(given['blocks']) && given['submit'] === undefined
      ? ['missing required field: submit [json-pointer:/view]']
      : []),
    ...stringFaults(given, 'private_metadata', { where: 'json-pointer:/view', most: 3_000 }),
    ...stringFaults(given, 'callback_id', { where: 'json-pointer:/view', most: 255 }),
    ...blocksFaults(given['blocks'], MAX_VIEW_BLOCKS),
  ];
};
