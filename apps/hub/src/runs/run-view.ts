/** Follows what a response has shown of its runs, to know when it is over. */
import type { OpenStream, Shown } from '@triptych/fanout';
import { isTerminal } from '@triptych/protocol';

const isQuestion = (json: string): boolean =>
  (JSON.parse(json) as { outcome?: { type?: string } }).outcome?.type === 'interrupt';

export class RunView {
  open?: OpenStream;
  /** The seq after which nothing more is to be shown. */
  goal = Number.POSITIVE_INFINITY;
  /** An answer was waited for: the run that brings it is carried elsewhere. */
  waited = false;
  private last = 0;
  private asking = false;

  constructor(private readonly holds: boolean) {}

  /** True: a run is over, and this response need not wait for another. */
  take(shown: Shown): boolean {
    this.last = shown.seq;
    if (!isTerminal(shown)) return false;
    this.asking = isQuestion(shown.json);
    this.waited ||= this.held;
    return !this.held;
  }

  /** The run ended in a question, and the response stays open for its answer. */
  get held(): boolean {
    return this.holds && this.asking;
  }

  get reachedGoal(): boolean {
    return this.last >= this.goal;
  }
}
