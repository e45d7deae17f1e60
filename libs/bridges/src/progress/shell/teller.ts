/** Has runs told under the cards whose answers they carry: finds which, and tells a bounded number at once. */
import { setMaxListeners } from 'node:events';
import { batchIdOf, type NoticedBatch, type NoticedTask } from '../../core/notice-task.js';
import type { Posting } from '../../core/posting.js';
import type { PostingName, TakenEntry } from '../../core/posting-store.js';
import { afterSilence, GIVE_UP_MS, newRecord, type ProgressRecord } from '../core/progress-record.js';
import { progressPlaces, tellsProgress } from '../core/where.js';
import type { ProgressDesk } from './progress-desk.js';
import { Telling, type Course } from './telling.js';

/** Runs told at once by one worker: each holds the view of its thread. Others wait for their turn. */
const MAX_AT_ONCE = 50;
/** A run that is told here already, or by another worker. */
const LOOK_AGAIN_MS = 10_000;
/** Another worker may have another file. No whole number of rounds: with one, the same worker would come first each time. */
const ELSEWHERE_MS = 1_130;
/** Its card is not there yet, or its run. */
const NOT_YET_MS = 1_000;
const BEGINNING: readonly string[] = ['dispatching', 'running'];

type Taken = TakenEntry & { readonly name: PostingName };

interface Found {
  readonly batch: NoticedBatch;
  readonly task: NoticedTask;
  readonly posting: Posting;
  readonly record: ProgressRecord | undefined;
}

export class Teller {
  private readonly ending = new AbortController();
  private readonly atWork = new Map<string, Promise<void>>();

  constructor(private readonly desk: ProgressDesk) {
    // Each of those at work waits at one place at a time.
    setMaxListeners(2 * MAX_AT_ONCE, this.ending.signal);
  }

  get isWanted(): boolean {
    return tellsProgress(this.desk.bridges);
  }

  /** BRG-152: a worker that speaks in no chat leaves all of it to others. */
  get canTell(): boolean {
    return this.isWanted && this.desk.voices.size > 0;
  }

  /** A batch changed, or is looked at: the run that carries its answers is to be told. */
  async look(batch: NoticedBatch): Promise<void> {
    const { store, bridges } = this.desk;
    if (batch.resumeRunId === undefined || !this.isWanted) return;
    for (const name of progressPlaces(bridges, batch)) {
      const record = await store.load(name);
      if (!record?.over || record.runId !== batch.resumeRunId) await store.enter(name, batch.now);
    }
  }

  /** Begins what is due, as far as there is room; what it answers ends with the tellings. */
  async round(): Promise<readonly Promise<void>[]> {
    const room = MAX_AT_ONCE - this.atWork.size;
    if (room <= 0 || this.ending.signal.aborted) return [];
    const taken = await this.desk.store.takeDue(room);
    return taken.map((entry) => this.begin(entry));
  }

  /** No further act is begun; others go on at once. */
  async stop(): Promise<void> {
    this.ending.abort();
    await Promise.allSettled(this.atWork.values());
  }

  private async begin(taken: Taken): Promise<void> {
    const { member } = taken;
    if (this.atWork.has(member)) return this.settle(taken, LOOK_AGAIN_MS);
    const work = this.work(taken).finally(() => this.atWork.delete(member));
    this.atWork.set(member, work);
    return work;
  }

  private async work(taken: Taken): Promise<void> {
    const { store, worker } = this.desk;
    const { name } = taken;
    if (!(await store.lead(name, worker))) return this.settle(taken, LOOK_AGAIN_MS);
    const againMs = await this.lead(name);
    await store.leave(name, worker);
    await this.settle(taken, againMs);
  }

  private async settle(taken: Taken, againMs: number | undefined): Promise<void> {
    const { store } = this.desk;
    await store.settle(taken, againMs === undefined ? undefined : (await store.now()) + againMs);
  }

  /** One run after the other, where answers were carried by several. */
  private async lead(name: PostingName): Promise<number | undefined> {
    for (;;) {
      const found = await this.find(name);
      const course = found && this.courseOf(name, found);
      if (!found || !course) return undefined;
      if (typeof course === 'number') return course;
      const around = { desk: this.desk, ending: this.ending.signal, atOnce: () => this.atWork.size };
      const told = await new Telling(around, course).tell();
      if (told === 'none') return this.withoutRun(found, course);
      if (told.againMs !== undefined) return told.againMs;
    }
  }

  /** A run that was never begun is forgotten; the next one has another name. */
  private async withoutRun({ batch, task }: Found, { name, record }: Course): Promise<number | undefined> {
    if (record.runId === batch.resumeRunId)
      return BEGINNING.includes(task.view.batch.state) ? NOT_YET_MS : undefined;
    await this.desk.store.keep(name, this.desk.worker, { ...record, over: true });
    return 0;
  }

  private async find(name: PostingName): Promise<Found | undefined> {
    const { tasks, cards, store } = this.desk;
    const batch = await tasks.batch(batchIdOf(name.taskId));
    const task = batch?.tasks.find(({ view }) => view.taskId === name.taskId);
    if (!batch || !task) return undefined;
    const [posting = {}] = await cards.postings([name]);
    return { batch, task, posting, record: await store.load(name) };
  }

  /** undefined: there is nothing to tell there, or nothing more; a number: not yet, or not by this worker. */
  private courseOf(name: PostingName, found: Found): Course | number | undefined {
    const { bridges, people, voices } = this.desk;
    const { batch, task, posting } = found;
    const record = recordFor(found);
    if (!record || posting.dead) return undefined;
    const isLate = isLongAgo(task, batch.now);
    const destination = bridges.destinations.get(name.destination);
    const voice = destination && voices.get(destination.kind);
    if (!voice) return isLate ? undefined : ELSEWHERE_MS;
    if (destination.tenant !== task.tenant) return undefined;
    if (!posting.shown) return isLate ? undefined : NOT_YET_MS;
    const by = task.view.decision?.by ?? [];
    const deciders = by.flatMap((subject) => people.namesOf(task.tenant, subject, destination.kind));
    const place = { destination, card: posting.shown.posted, deciders };
    return { name, threadId: task.view.threadId, place, voice, record };
  }
}

const isLongAgo = ({ view }: NoticedTask, now: number): boolean =>
  now - (view.decision?.at ?? view.createdAt) > GIVE_UP_MS;

/** What was begun is ended first; undefined: all is told. */
const recordFor = ({ batch: { resumeRunId: runId }, record }: Found): ProgressRecord | undefined => {
  if (record && !record.over) return afterSilence(record);
  return runId === undefined || record?.runId === runId ? undefined : newRecord(runId, record);
};
