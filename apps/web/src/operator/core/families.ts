/** Sorts events into the families that share a colour. */
import type { Entry } from './log-book.js';

export const FAMILIES = ['text', 'tool', 'state', 'life', 'agent', 'other', 'bad'] as const;
export type Family = (typeof FAMILIES)[number];

const BY_PREFIX: readonly (readonly [prefix: string, family: Family])[] = [
  ['TEXT_MESSAGE', 'text'],
  ['MESSAGES_SNAPSHOT', 'text'],
  ['TOOL_CALL', 'tool'],
  ['STATE_', 'state'],
  ['ACTIVITY_', 'state'],
  ['RUN_', 'life'],
  ['STEP_', 'life'],
  ['SUBAGENT_', 'agent'],
];

export const typeOf = (entry: Entry): string => {
  const type = (entry.event as { type?: unknown } | null)?.type;
  return typeof type === 'string' ? type : '?';
};

export const familyOf = (entry: Entry): Family => {
  if (entry.kind === 'refused') return 'bad';
  const type = typeOf(entry);
  return BY_PREFIX.find(([prefix]) => type.startsWith(prefix))?.[1] ?? 'other';
};
