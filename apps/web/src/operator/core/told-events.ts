/** Reads a run of events as what it tells a person: words, a call, a question, or the event itself. */
import type { AguiEvent } from '@triptych/protocol';
import { summaryOf } from './event-summary.js';

export type Told =
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'call'; readonly name: string; readonly args: string }
  | { readonly kind: 'question'; readonly title: string; readonly awaits: boolean }
  | { readonly kind: 'line'; readonly type: string; readonly text: string };

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const joined = (events: readonly AguiEvent[], type: string): string =>
  events.map((event) => (event.type === type ? text(event.delta) : '')).join('');

/** What a customer sees in place of questions that are not theirs. */
const PLACEHOLDER = 'hub:under_review';

interface Asked {
  readonly reason?: unknown;
  readonly message?: unknown;
  readonly metadata?: { readonly hub?: { readonly text?: unknown } };
}

const questionsIn = ({ type, outcome }: AguiEvent): readonly Told[] => {
  const interrupts = (outcome as { interrupts?: readonly Asked[] } | undefined)?.interrupts;
  if (type !== 'RUN_FINISHED' || !Array.isArray(interrupts)) return [];
  return (interrupts as readonly Asked[]).map(({ reason, message, metadata }) => ({
    kind: 'question',
    title: text(metadata?.hub?.text) || text(message) || text(reason),
    awaits: reason === PLACEHOLDER,
  }));
};

const lineOf = (event: AguiEvent): Told => ({
  kind: 'line',
  type: event.type,
  text: summaryOf({ kind: 'stored', seq: 0, at: 0, source: 'agent', event }),
});

export const toldBy = (events: readonly AguiEvent[]): readonly Told[] => {
  const call = events.find(({ type }) => type === 'TOOL_CALL_START');
  if (call) return [{ kind: 'call', name: text(call.toolCallName), args: joined(events, 'TOOL_CALL_ARGS') }];
  const words = joined(events, 'TEXT_MESSAGE_CONTENT') || joined(events, 'REASONING_MESSAGE_CONTENT');
  if (words !== '') return [{ kind: 'words', text: words }];
  return events.flatMap((event) => {
    const questions = questionsIn(event);
    return questions.length > 0 ? questions : [lineOf(event)];
  });
};
