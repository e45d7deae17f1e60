/** A small world to fan out: events, what surfaces see of them, and what they add up to. */
import type { AguiEvent, LogEntry, Surface } from '@triptych/protocol';
import type { Fold, Projection } from '../src/core/ports.js';

export const text = (messageId: string, delta: string): AguiEvent => ({
  type: 'TEXT_MESSAGE_CONTENT',
  messageId,
  delta,
});
export const note = (value: unknown): AguiEvent => ({ type: 'CUSTOM', name: 'note', value });
/** For reviewers and operators only. */
export const secret = (value: unknown): AguiEvent => ({ type: 'CUSTOM', name: 'secret', value });
/** Becomes two events for the customer. */
export const split = (value: unknown): AguiEvent => ({ type: 'CUSTOM', name: 'split', value });

const forCustomer = (event: AguiEvent): readonly AguiEvent[] => {
  if (event['name'] === 'secret') return [];
  if (event['name'] === 'split') return [note({ first: event['value'] }), note({ second: event['value'] })];
  return [event];
};

/** `version` is shown to customers in every note, so that a change of policy is a change of what they see. */
export const projection: Projection<Surface> = {
  begin: (surface) => surface,
  step: (surface, entry: LogEntry) => {
    const shown = surface === 'customer' ? forCustomer(entry.event) : [entry.event];
    const seen = shown.length === 0 ? 'hidden' : shown[0] === entry.event ? 'full' : 'redacted';
    return { view: surface, shown, seen };
  },
};

/** What a reader has on its screen: runs of text by message, and everything else as it came. */
export type Lines = readonly string[];

const lineOf = (event: AguiEvent): string => `${event.type} ${JSON.stringify(event['messageId'])}`;

export const fold: Fold<Lines> = {
  empty: () => [],
  step: (lines, event) => {
    if (event.type === 'WHOLE') return event['lines'] as Lines;
    if (event.type !== 'TEXT_MESSAGE_CONTENT') return [...lines, JSON.stringify(event)];
    const last = lines.at(-1);
    const start = `${lineOf(event)}: `;
    if (last?.startsWith(start) === true) return [...lines.slice(0, -1), last + String(event['delta'])];
    return [...lines, start + String(event['delta'])];
  },
  prelude: (lines) => (lines.length === 0 ? [] : [{ type: 'WHOLE', lines }]),
};

export const foldAll = (events: readonly AguiEvent[]): Lines =>
  events.reduce((lines, event) => fold.step(lines, event), fold.empty());

/** What a surface should end with. */
export const wholeOf = (surface: Surface, entries: readonly LogEntry[]): Lines =>
  foldAll(entries.flatMap((entry) => projection.step(surface, entry).shown));
