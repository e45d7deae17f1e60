/** Merges adjacent deltas of one text, argument or reasoning stream into one event. */
import type { Surface } from '@triptych/protocol';
import type { Shown } from './shown.js';

/** Which member names the stream a delta belongs to. */
const STREAM_ID: Readonly<Record<string, string>> = {
  TEXT_MESSAGE_CONTENT: 'messageId',
  REASONING_MESSAGE_CONTENT: 'messageId',
  TOOL_CALL_ARGS: 'toolCallId',
};

/** Anything else on a delta (metadata, a raw event) would have to be altered by merging, so such a delta stays alone. */
const PLAIN_MEMBERS = new Set(['type', 'messageId', 'toolCallId', 'delta', 'subagentRunId', 'timestamp']);

/** The operator sees what was stored, event by event. */
export const mergesDeltas = (surface: Surface): boolean => surface !== 'operator';

interface Delta {
  readonly text: string;
  /** Equal for deltas that differ in nothing but their text. */
  readonly rest: string;
  readonly members: Readonly<Record<string, unknown>>;
}

const isPlain = (members: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(members).every((name) => PLAIN_MEMBERS.has(name)) &&
  (members['timestamp'] === undefined || Number.isSafeInteger(members['timestamp']));

const asDelta = (shown: Shown): Delta | undefined => {
  const idMember = STREAM_ID[shown.type];
  if (idMember === undefined) return undefined;
  const members = JSON.parse(shown.json) as Readonly<Record<string, unknown>>;
  const { delta, ...others } = members;
  if (typeof delta !== 'string' || typeof others[idMember] !== 'string' || !isPlain(members))
    return undefined;
  const rest = JSON.stringify(Object.entries(others).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { text: delta, rest, members };
};

const joined = (run: readonly Delta[], last: Shown): Shown => {
  const members = { ...run[0]?.members, delta: run.map((delta) => delta.text).join('') };
  return { ...last, json: JSON.stringify(members) };
};

interface OpenRun {
  readonly deltas: Delta[];
  last: Shown;
}

/** A merged event takes the place of the last one in it; everything else comes out as it went in. */
export const mergeDeltas = (shown: readonly Shown[]): readonly Shown[] => {
  const merged: Shown[] = [];
  let run: OpenRun | undefined;
  const close = (): void => {
    if (run !== undefined) merged.push(run.deltas.length === 1 ? run.last : joined(run.deltas, run.last));
    run = undefined;
  };
  for (const [nth, one] of shown.entries()) {
    // Reading a delta costs; it is only worth it when a neighbour is of the same kind.
    const lonely = run === undefined && shown[nth + 1]?.type !== one.type;
    const delta = lonely ? undefined : asDelta(one);
    if (delta !== undefined && run?.deltas[0]?.rest === delta.rest && run.last.type === one.type) {
      run.deltas.push(delta);
      run.last = one;
      continue;
    }
    close();
    if (delta === undefined) merged.push(one);
    else run = { deltas: [delta], last: one };
  }
  close();
  return merged;
};
