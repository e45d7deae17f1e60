/** Compares what producers sent, what the store said it has, what operators were shown and what the log holds. */
import { isDeepStrictEqual } from 'node:util';
import type { Book, FinalLog, History, Sent, StoredEvent, Violation } from './history.js';
import { markOf, REFUSED_MARK } from './story.js';

const markOfStored = ({ event, raw }: StoredEvent): string | undefined =>
  markOf(raw ?? event) ?? markOf(event);
const runOfMark = (mark: string): string => mark.slice(0, mark.lastIndexOf('#'));

/** I2: of a run the log holds what was sent, in its order, each once; all of it when nothing may be missing. */
const runKept = (sent: Sent, stored: readonly StoredEvent[], lossy: boolean): Violation[] => {
  const marks = stored.map(markOfStored).filter((mark) => mark !== undefined);
  const expected = sent.events.map((event) => markOf(event) ?? '');
  const place = new Map(expected.map((mark, nth) => [mark, nth]));
  const fault = (what: string): Violation => ({
    invariant: 'I2',
    what: `${sent.runId} on ${sent.threadId}: ${what}`,
  });
  const faults: Violation[] = [];
  marks.forEach((mark, nth) => {
    const before = nth === 0 ? -1 : (place.get(marks[nth - 1] ?? '') ?? -1);
    const here = place.get(mark) ?? -1;
    if (here <= before) faults.push(fault(`${mark} comes after ${marks[nth - 1]}`));
    else if (here > before + 1 && !lossy)
      faults.push(fault(`${expected[before + 1]} is missing before ${mark}`));
  });
  if (sent.complete && marks.length < expected.length)
    faults.push(fault(`holds ${marks.length} of ${expected.length} events, up to ${marks.at(-1)}`));
  const known = new Set(marks);
  const lost = lossy ? undefined : sent.acked.find(({ mark }) => !known.has(mark));
  if (lost) faults.push(fault(`${lost.mark} was acknowledged and is not there`));
  if (sent.asked > 1 && !lossy) faults.push(fault(`its agent was asked ${sent.asked} times`));
  return faults;
};

/** I3: nothing is there that nobody sent, that was refused, or that is not what was sent. */
const nothingInvented = (log: FinalLog, sent: ReadonlyMap<string, Sent>): Violation[] =>
  log.entries.flatMap((entry) => {
    const mark = markOfStored(entry);
    const fault = (what: string): Violation[] => [
      { invariant: 'I3', what: `${log.threadId} seq ${entry.seq}: ${what}` },
    ];
    if (JSON.stringify(entry.event).includes(REFUSED_MARK)) return fault('was refused, and is there');
    if (mark === undefined) return entry.source === 'hub' ? [] : fault('nobody sent it');
    const original = sent.get(runOfMark(mark))?.events.find((event) => markOf(event) === mark);
    if (original === undefined) return fault(`${mark}, which nobody sent`);
    return isDeepStrictEqual(entry.raw ?? entry.event, original)
      ? []
      : fault(`${mark} is not as it was sent`);
  });

const dense = ({ threadId, epoch, head, entries }: FinalLog, lossy: boolean): Violation[] => {
  const hole = entries.find(({ seq }, nth) => seq !== (entries[nth - 1]?.seq ?? 0) + 1);
  const short = entries.at(-1)?.seq ?? 0;
  if (lossy) return [];
  if (hole) return [{ invariant: 'I1', what: `${threadId} ${epoch}: a hole before ${hole.seq}` }];
  return short === head
    ? []
    : [{ invariant: 'I1', what: `${threadId} ${epoch}: ends at ${short}, not ${head}` }];
};

/** I1: one epoch and seq name one event, whoever tells of it: the log, an acknowledgement, or an operator's frame. */
class Names {
  readonly faults: Violation[] = [];
  private readonly known = new Map<string, { text: string; by: string }>();

  tell(place: { threadId: string; epoch: string; seq: number }, text: string, by: string): void {
    const key = `${place.threadId} ${place.epoch}:${place.seq}`;
    const first = this.known.get(key) ?? { text, by };
    this.known.set(key, first);
    if (first.text !== text)
      this.faults.push({ invariant: 'I1', what: `${key} is not the same to ${first.by} and ${by}` });
  }
}

const placeOf = (pos: string): { epoch: string; seq: number } => {
  const [epoch = '', seq = ''] = pos.split(':');
  return { epoch, seq: Number(seq) };
};

const tellFrames = (names: Names, { reader, threadId, notes }: Book): void => {
  for (const note of notes) {
    if (note.kind !== 'events' || !note.seqs) continue;
    const { epoch } = placeOf(note.pos);
    note.seqs.forEach((seq, nth) => {
      const event = note.events[nth];
      if (event) names.tell({ threadId, epoch, seq }, markOf(event) ?? JSON.stringify(event), reader);
    });
  }
};

/** A rewritten event lost its mark on the way to the screens, so that it goes by its text there and in the log. */
const shownName = ({ event }: StoredEvent): string => markOf(event) ?? JSON.stringify(event);

/** The operator's frames hold every entry between their ends. */
const framesWhole = ({ reader, threadId, notes }: Book, log: FinalLog | undefined): Violation[] => {
  const seqs = log?.entries.map(({ seq }) => seq) ?? [];
  return notes.flatMap((note) => {
    if (note.kind !== 'events' || !note.seqs || placeOf(note.pos).epoch !== log?.epoch) return [];
    const [from, to] = [placeOf(note.prev).seq, placeOf(note.pos).seq];
    const wanted = seqs.filter((seq) => seq > from && seq <= to).join(' ');
    if (wanted === note.seqs.join(' ')) return [];
    const what = `${reader} on ${threadId}: ${note.prev} to ${note.pos} holds ${note.seqs.join(' ')}, the log ${wanted}`;
    return [{ invariant: 'I1', what } as const];
  });
};

const oneName = ({ sent, books, logs }: History): Violation[] => {
  const names = new Names();
  for (const { threadId, epoch, entries } of logs)
    for (const entry of entries) names.tell({ threadId, epoch, seq: entry.seq }, shownName(entry), 'the log');
  for (const { threadId, acked } of sent)
    for (const { at, mark } of acked) if (at) names.tell({ threadId, ...at }, mark, 'its producer');
  const operators = books.filter(({ surface }) => surface === 'operator');
  for (const book of operators) tellFrames(names, book);
  const logOf = new Map(logs.map((log) => [log.threadId, log]));
  return [...names.faults, ...operators.flatMap((book) => framesWhole(book, logOf.get(book.threadId)))];
};

export const judgeLog = (history: History): Violation[] => {
  const { sent, logs, lossy } = history;
  const byRun = new Map(sent.map((one) => [one.runId, one]));
  const storedOf = new Map<string, StoredEvent[]>();
  for (const entry of logs.flatMap(({ entries }) => entries)) {
    const run = runOfMark(markOfStored(entry) ?? '#');
    storedOf.set(run, [...(storedOf.get(run) ?? []), entry]);
  }
  return [
    ...sent.flatMap((one) => runKept(one, storedOf.get(one.runId) ?? [], lossy)),
    ...logs.flatMap((log) => nothingInvented(log, byRun)),
    ...logs.flatMap((log) => dense(log, lossy)),
    ...oneName(history),
  ];
};
