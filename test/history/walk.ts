/** Follows one reader's notes as a strict client does, and tells where it stood with what, and what was wrong on the way. */
import { createHash } from 'node:crypto';
import { emptyModel, modelStep, type AguiEvent, type Model } from '@triptych/protocol';
import type { Book, Note, Violation } from './history.js';

/** Where a reader stood, and the digest of what it had there. */
export interface Visit {
  readonly pos: string;
  readonly digest: string;
}

/** Stretches in which a reader only went forward. */
export interface Walk {
  readonly book: Book;
  readonly stretches: readonly (readonly Visit[])[];
  readonly faults: readonly Violation[];
}

const texts = new WeakMap<object, string>();
/** A model shares what stayed the same with the one before, so most of it is written once. */
const textOf = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  const known = texts.get(value) ?? JSON.stringify(value);
  texts.set(value, known);
  return known;
};

/** All that a person would see of a thread. */
export const digestOf = (model: Model): string => {
  const { messages, state, custom, open, pending, run, steps, subagents } = model;
  const hash = createHash('sha256');
  for (const part of [
    ...messages,
    '|',
    state,
    '|',
    ...custom,
    '|',
    ...open,
    '|',
    ...steps,
    '|',
    ...subagents,
  ])
    hash.update(textOf(part)).update('\n');
  const ends = [run?.started?.runId, run?.finished?.type, run?.error?.code, pending?.started.runId];
  return hash.update(JSON.stringify(ends)).digest('base64url');
};

const fold = (model: Model, events: readonly AguiEvent[]): Model => events.reduce<Model>(modelStep, model);

/** As many as show how a fault came about. */
const SHOWN_NOTES = 8;

const gistOf = (note: Note): string => {
  if (note.kind === 'events') return `events ${note.prev}→${note.pos}`;
  if (note.kind === 'answered') return `answered ${note.recovered ?? 'no change'} from ${note.from}`;
  return 'pos' in note ? `${note.kind} ${note.pos}` : note.kind;
};

class Walker {
  readonly faults: Violation[] = [];
  readonly stretches: Visit[][] = [[]];
  private readonly models = new Map<string, Model>();
  private pos: string | undefined;
  private model: Model = emptyModel();
  private passed = new Set<string>();
  private last: readonly Note[] = [];
  private asking = false;
  /** A snapshot was promised: nothing else may come before it. */
  private owed = true;

  constructor(private readonly book: Book) {}

  take(note: Note): void {
    this.last = [...this.last, note].slice(-SHOWN_NOTES);
    if (note.kind === 'leak') return this.fault('I7', `was sent ${note.secret}: ${note.text}`);
    if (note.kind === 'asked') this.asking = true;
    else if (note.kind === 'lost') this.asking = false;
    else if (note.kind === 'answered') this.answered(note);
    else if (note.kind === 'model') this.told(note);
    else if (!this.asking) this.frame(note);
  }

  private told({ pos, digest, anew }: Extract<Note, { kind: 'model' }>): void {
    if (anew) this.begin();
    this.visit({ pos, digest });
  }

  private frame(note: Extract<Note, { kind: 'snapshot' | 'events' | 'head' }>): void {
    if (note.kind === 'snapshot') this.snapshot(note);
    else if (this.owed) this.fault('I1', `got ${note.kind} where a snapshot was promised`);
    else if (note.kind === 'events') this.events(note);
    else if (note.pos !== this.pos) this.fault('I1', `stands at ${this.pos}, its head says ${note.pos}`);
  }

  /** Whoever asked from a place stands there again, whether it was rewound or had never left. */
  private answered({ recovered, from }: Extract<Note, { kind: 'answered' }>): void {
    this.asking = false;
    if (recovered !== undefined) this.owed = recovered === 'snapshot';
    if (recovered === 'snapshot' || from === undefined || from === this.pos) return;
    const model = this.models.get(from);
    if (model === undefined) return this.fault('I1', `a replay from ${from}, where it never stood`);
    [this.pos, this.model] = [from, model];
    this.begin();
  }

  private snapshot({ pos, events }: Extract<Note, { kind: 'snapshot' }>): void {
    this.owed = false;
    this.begin();
    this.arrive(pos, fold(emptyModel(), events));
  }

  private events({ prev, pos, events }: Extract<Note, { kind: 'events' }>): void {
    if (prev !== this.pos) this.fault('I1', `stands at ${this.pos}, was given what follows ${prev}`);
    if (this.passed.has(pos)) this.fault('I1', `came to ${pos} twice`);
    this.arrive(pos, fold(this.model, events));
  }

  private begin(): void {
    this.stretches.push([]);
    this.passed = new Set();
  }

  private arrive(pos: string, model: Model): void {
    [this.pos, this.model] = [pos, model];
    this.models.set(pos, model);
    this.passed.add(pos);
    this.visit({ pos, digest: digestOf(model) });
  }

  private visit(visit: Visit): void {
    this.stretches.at(-1)?.push(visit);
  }

  private fault(invariant: Violation['invariant'], what: string): void {
    const { reader, surface, threadId } = this.book;
    const before = this.last.map(gistOf).join(' · ');
    this.faults.push({ invariant, what: `${reader} (${surface}) on ${threadId} ${what}; last: ${before}` });
  }
}

export const walk = (book: Book): Walk => {
  const walker = new Walker(book);
  for (const note of book.notes) walker.take(note);
  return { book, stretches: walker.stretches.filter((one) => one.length > 0), faults: walker.faults };
};
