/** Shows what a call is to be made with: its arguments as JSON in a fence, or their text where they are not JSON. */
import type { ContextBlock, SectionBlock } from '@slack/types';
import type { TaskView } from '@triptych/protocol';
import { argsOf } from '../../core/task-facts.js';
import { visible } from '../../core/visible.js';
import { LIMITS } from './limits.js';
import { fitted, marked, plain } from './text.js';

const FENCE = '```';
const MORE = '\n…';
const ROOM = LIMITS.sectionText - 2 * (FENCE.length + 1) - MORE.length;

/** No string in it may end the fence; JSON has another way to write the same. */
const jsonText = (args: unknown): string =>
  visible(JSON.stringify(args, undefined, 2)).replaceAll('`', '\\u0060');

const cutShort = (): ContextBlock => ({
  type: 'context',
  elements: [marked('Cut short here. The console shows all of it.')],
});

const fenced = (args: unknown): readonly (SectionBlock | ContextBlock)[] => {
  const { text, whole } = fitted(jsonText(args), ROOM);
  const section: SectionBlock = {
    type: 'section',
    text: marked(`${FENCE}\n${text}${whole ? '' : MORE}\n${FENCE}`),
  };
  return whole ? [section] : [section, cutShort()];
};

const asText = (text: string): readonly (SectionBlock | ContextBlock)[] => {
  const section: SectionBlock = { type: 'section', text: plain(text, LIMITS.sectionText) };
  return visible(text).length <= LIMITS.sectionText ? [section] : [section, cutShort()];
};

export const argsBlocks = (task: TaskView): readonly (SectionBlock | ContextBlock)[] => {
  const args = argsOf(task);
  if (args !== undefined) return fenced(args);
  const { argsText } = task.proposal;
  return argsText === undefined ? [] : asText(argsText);
};
