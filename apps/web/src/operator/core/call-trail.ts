/** What became of one tool call, told in steps. */
import { typeOf } from './families.js';
import type { LogBook, Stored } from './log-book.js';

export interface TrailStep {
  readonly kind: 'called' | 'args' | 'asks' | 'result' | 'other';
  readonly entry: Stored;
  /** The last of the events told as this one step. */
  readonly lastSeq: number;
  /** Of arguments: put together from their pieces. */
  readonly args?: string;
}

const KINDS: Readonly<Record<string, TrailStep['kind']>> = {
  TOOL_CALL_START: 'called',
  TOOL_CALL_ARGS: 'args',
  TOOL_CALL_RESULT: 'result',
};

const asksAbout = ({ event }: Stored, toolCallId: string): boolean => {
  const interrupts = (event.outcome as { interrupts?: unknown } | undefined)?.interrupts;
  return (
    Array.isArray(interrupts) &&
    interrupts.some((each: { readonly toolCallId?: unknown } | null) => each?.toolCallId === toolCallId)
  );
};

const pieceOf = ({ event: { delta } }: Stored): string => (typeof delta === 'string' ? delta : '');

const stepOf = (entry: Stored): TrailStep => {
  const kind = KINDS[typeOf(entry)] ?? 'other';
  const args = kind === 'args' ? { args: pieceOf(entry) } : {};
  return { kind, entry, lastSeq: entry.seq, ...args };
};

/** A piece of the arguments goes to those before it; the end of a call is the end of the step it stands in. */
const joined = (last: TrailStep | undefined, entry: Stored): TrailStep | undefined => {
  const isEnd = typeOf(entry) === 'TOOL_CALL_END';
  const isPiece = last?.args !== undefined && typeOf(entry) === 'TOOL_CALL_ARGS';
  if (!last || !(isEnd || isPiece)) return undefined;
  const args = last.args === undefined ? {} : { args: `${last.args}${pieceOf(entry)}` };
  return { ...last, lastSeq: entry.seq, ...args };
};

export const callTrail = ({ stored }: LogBook, toolCallId: unknown): readonly TrailStep[] => {
  if (typeof toolCallId !== 'string') return [];
  const steps: TrailStep[] = [];
  for (const entry of stored) {
    if (asksAbout(entry, toolCallId)) steps.push({ kind: 'asks', entry, lastSeq: entry.seq });
    if (entry.event.toolCallId !== toolCallId) continue;
    const grown = joined(steps.at(-1), entry);
    if (grown) steps[steps.length - 1] = grown;
    else steps.push(stepOf(entry));
  }
  return steps;
};

/** How many arguments there are; undefined while, or because, they cannot be read. */
export const argumentCount = (args: string): number | undefined => {
  try {
    const value = JSON.parse(args) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.keys(value).length
      : undefined;
  } catch {
    return undefined;
  }
};
