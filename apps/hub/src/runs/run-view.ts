/** Follows what a response has shown of its runs, to know where it ends. */
import type { OpenStream, Shown, StreamStep } from '@triptych/fanout';
import { isTerminal } from '@triptych/protocol';

interface Told {
  readonly runId?: string;
  readonly input?: { readonly messages?: readonly unknown[] };
  readonly outcome?: { readonly type?: string };
}
const told = ({ json }: Shown): Told => JSON.parse(json) as Told;

export interface Viewed {
  /** Stays open over a question, for the run that brings the answer. */
  readonly holds: boolean;
  /** What the agent's stream brings after the run is carried here too, and belongs to the response. */
  readonly readHere: boolean;
}

export class RunView {
  open?: OpenStream;
  /** The seq after which nothing more is to be shown. */
  goal = Number.POSITIVE_INFINITY;
  /** The run that is shown, or was last. */
  runId: string | undefined;
  private seq = 0;
  private isOver = false;
  private failed = false;
  private asking = false;
  private elsewhere: boolean;

  constructor(private readonly viewed: Viewed) {
    this.elsewhere = !viewed.readHere;
  }

  take(shown: Shown): StreamStep {
    if (shown.seq > this.goal || (shown.type === 'RUN_STARTED' && !this.follows(told(shown)))) return 'over';
    this.seq = shown.seq;
    this.isOver = isTerminal(shown);
    this.failed = shown.type === 'RUN_ERROR';
    if (this.isOver) this.asking = told(shown).outcome?.type === 'interrupt';
    return this.reachedGoal ? 'last' : 'on';
  }

  /** Others are to answer what it called, and the response stays open for that. */
  hold(): void {
    this.asking = true;
  }

  /** It ended well and asked nothing; what it called may still wait for an answer. */
  get endedWell(): boolean {
    return this.isOver && !this.failed && !this.asking;
  }

  /** The run ended in a question, and the response stays open for its answer. */
  get held(): boolean {
    return this.viewed.holds && this.asking;
  }

  /** A run that another process carries is over, and no other is waited for: what it said last may still come. */
  get lingers(): boolean {
    return this.elsewhere && this.isOver && !this.held;
  }

  get reachedGoal(): boolean {
    return this.seq >= this.goal && this.isOver;
  }

  /** Whether a run that begins belongs here; after a question only the one that answers it can. */
  private follows({ runId, input }: Told): boolean {
    // What an agent begins by itself brings no messages; a run that does was asked for by somebody.
    const isFurther = !this.elsewhere && !this.asking && !input?.messages?.length;
    const fits = this.runId === undefined || this.held || isFurther;
    if (!fits) return runId === this.runId;
    this.elsewhere ||= this.held;
    this.runId = runId;
    this.asking = false;
    return true;
  }
}
