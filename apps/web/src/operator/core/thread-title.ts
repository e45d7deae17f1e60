/** What a thread is called: the first words of its first run. */
import { textOf, titleFrom } from '../../shared/plain-text.js';

interface Started {
  readonly type?: unknown;
  readonly input?: { readonly messages?: unknown };
}

const saidIn = (event: unknown): string | undefined => {
  const { type, input } = (event ?? {}) as Started;
  if (type !== 'RUN_STARTED' || !Array.isArray(input?.messages)) return undefined;
  const messages = input.messages as readonly { role?: unknown; content?: unknown }[];
  const first = messages.find((message) => message.role === 'user');
  return first === undefined ? undefined : textOf(first.content, '…');
};

export const threadTitle = (entries: readonly { readonly event: unknown }[]): string | undefined => {
  for (const { event } of entries) {
    const said = saidIn(event);
    if (said !== undefined) return titleFrom(said);
  }
  return undefined;
};
