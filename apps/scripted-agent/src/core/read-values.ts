/** Figures out a scenario's values from what the user said. */
import type { Message, RunAgentInput } from '@triptych/protocol';
import { fill } from './fill.js';
import { findAmount } from './find-amount.js';
import type { Scenario, ValueSource } from './scenario.js';

/** What the user said since the agent last spoke. */
export const lastWords = (messages: readonly Message[]): string => {
  const spoken = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages
    .slice(spoken + 1)
    .flatMap((message) => (message.role === 'user' ? [textOf(message.content)] : []))
    .join('\n');
};

const textOf = (content: string | readonly { readonly type: string; readonly text?: string }[]): string =>
  typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join('\n');

interface Known {
  readonly reference: string;
  /** What the user answered, by the name of the value it stands for. */
  readonly given?: Readonly<Record<string, unknown>>;
}

export const readValues = (
  { values }: Scenario,
  input: RunAgentInput,
  { reference, given = {} }: Known,
): Record<string, unknown> => {
  const message = lastWords(input.messages);
  const scope: Record<string, unknown> = { message, reference, state: input.state };
  for (const [key, source] of Object.entries(values))
    scope[key] = given[key] ?? valueOf(source, message, scope);
  return scope;
};

const valueOf = (source: ValueSource, message: string, scope: Record<string, unknown>): unknown => {
  if (!('find' in source)) return fill(source.is, scope);
  if (source.find === 'pattern') return new RegExp(source.pattern, 'i').exec(message)?.[0] ?? source.default;
  return findAmount(message)?.[source.find] ?? source.default;
};
