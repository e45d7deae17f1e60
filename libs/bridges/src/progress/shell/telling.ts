/** Tells one run under one card, from where its record says to its end, for as long as this worker leads there. */
import { ATTEMPT_MS } from '../../core/bridge.js';
import type { PostingName } from '../../core/posting-store.js';
import { pagesOf } from '../core/page.js';
import { nextAct, type Next } from '../core/plan.js';
import { afterAct, beginAct, type ProgressRecord } from '../core/progress-record.js';
import type { Act, Heard, ProgressPlace, Voice } from '../core/voice.js';
import { Hearing } from './hearing.js';
import type { ProgressDesk } from './progress-desk.js';

/** A run that says nothing for so long gives its place to others for a while. */
const IDLE_MS = 30_000;
const IDLE_AGAIN_MS = 3_000;
/** Whoever is to wait for longer comes back for it. */
const PATIENCE_MS = 5_000;
/** Whether it leads is asked this often, and well before its lead is over. */
const STEP_MS = 10_000;
/** Another worker tells it, who may die. */
const LOOK_AGAIN_MS = 10_000;

export interface Told {
  /** After so many milliseconds it is to be looked at again; undefined: the run is told. */
  readonly againMs: number | undefined;
}

/** One run at one place. */
export interface Course {
  readonly name: PostingName;
  readonly threadId: string;
  readonly place: ProgressPlace;
  readonly voice: Voice;
  readonly record: ProgressRecord;
}

export interface Around {
  readonly desk: ProgressDesk;
  /** This worker goes. */
  readonly ending: AbortSignal;
  /** Runs that this worker tells now. */
  readonly atOnce: () => number;
}

const AGAIN_NOW: Told = { againMs: 0 };
const DONE: Told = { againMs: undefined };

export class Telling {
  private record: ProgressRecord;
  private lastAt: number;
  private newsAt: number;
  private streams = false;
  private readonly hearing: Hearing;

  constructor(
    private readonly around: Around,
    private readonly course: Course,
  ) {
    this.record = course.record;
    this.hearing = new Hearing(course.record.runId);
    this.lastAt = around.desk.now();
    this.newsAt = this.lastAt;
  }

  /** 'none': there is no such run, or not yet. */
  async tell(): Promise<Told | 'none'> {
    const { threadId, voice, place } = this.course;
    const followed = await this.around.desk.runs.follow({ threadId, runId: this.record.runId }, this.hearing);
    if (followed === 'none') return followed;
    if (followed === 'trimmed') return this.finish();
    try {
      this.streams = !this.record.noStream && (await voice.streamsAt(place));
      for (;;) {
        const told = await this.step();
        if (told) return told;
      }
    } finally {
      followed.stop();
    }
  }

  private async step(): Promise<Told | undefined> {
    const { desk, ending } = this.around;
    const heard = this.hearing.next;
    if (ending.aborted || this.hearing.isLost) return AGAIN_NOW;
    if (!(await desk.store.lead(this.course.name, desk.worker))) return { againMs: LOOK_AGAIN_MS };
    const next = this.next();
    switch (next.kind) {
      case 'over':
        return this.finish();
      case 'rest':
        return this.rest(heard);
      case 'wait':
        await this.pause(next.untilMs - desk.now());
        return undefined;
      case 'held':
        return this.patience(next.untilMs - desk.now());
      case 'act':
        return this.act(next);
    }
  }

  private next(): Next {
    const { place, voice } = this.course;
    const { progress } = this.hearing;
    const { pageChars } = voice.terms;
    return nextAct(this.record, {
      pages: pagesOf(progress, { destination: place.destination, pageChars }),
      over: progress.end !== undefined,
      streams: this.streams,
      terms: voice.terms,
      lastAt: this.lastAt,
      now: this.around.desk.now(),
      atOnce: this.around.atOnce(),
    });
  }

  private async rest(heard: AbortSignal): Promise<Told | undefined> {
    await this.pause(STEP_MS, heard);
    const now = this.around.desk.now();
    if (heard.aborted) this.newsAt = now;
    return now - this.newsAt >= IDLE_MS ? { againMs: IDLE_AGAIN_MS } : undefined;
  }

  private async act({ act, nth }: Extract<Next, { kind: 'act' }>): Promise<Told | undefined> {
    const { desk } = this.around;
    if (!(await this.keep(beginAct(this.record, { act, nth, now: desk.now() }))))
      return { againMs: LOOK_AGAIN_MS };
    const heard = await this.carryOut(act);
    this.lastAt = desk.now();
    const after = afterAct(this.record, { act, nth, heard, now: this.lastAt });
    if (after.over)
      desk.report('progress.given-up', {
        ...this.course.name,
        run: after.runId,
        heard: heard.kind,
        act: act.kind,
      });
    return (await this.keep(after)) ? undefined : { againMs: LOOK_AGAIN_MS };
  }

  /** Waits here, or comes back for it. */
  private async patience(ms: number): Promise<Told | undefined> {
    if (ms > PATIENCE_MS) return { againMs: ms };
    await this.pause(ms);
    return undefined;
  }

  /** A voice that breaks its word is taken for one that sent and heard nothing. */
  private async carryOut(act: Act): Promise<Heard> {
    const { sleep, report } = this.around.desk;
    const { voice, place, name } = this.course;
    const over = new AbortController();
    const late = sleep(ATTEMPT_MS, over.signal).then((): Heard => ({ kind: 'unsure', why: 'no answer' }));
    // Its end is awaited by nobody once the voice has answered.
    late.catch(() => undefined);
    try {
      return await Promise.race([voice.carryOut(act, place), late]);
    } catch (error) {
      report('progress.voice-broke', { ...name, error });
      return { kind: 'unsure', why: String(error) };
    } finally {
      over.abort();
    }
  }

  private async finish(): Promise<Told> {
    await this.keep({ ...this.record, over: true });
    return DONE;
  }

  private async keep(record: ProgressRecord): Promise<boolean> {
    const { store, worker } = this.around.desk;
    const kept = await store.keep(this.course.name, worker, record);
    if (kept) this.record = record;
    return kept;
  }

  private async pause(ms: number, until?: AbortSignal): Promise<void> {
    const { desk, ending } = this.around;
    const signal = until ? AbortSignal.any([ending, until]) : ending;
    await desk.sleep(Math.min(ms, STEP_MS), signal).catch(() => undefined);
  }
}
