/** Looks after the few readers that are behind, often; costs nothing while there are none. */
import type { Report, Timers } from '../core/ports.js';

/** A reader that caught its breath waits no longer than this for the rest. */
const LOOK_MS = 50;

export class Watch {
  private looks: (() => boolean)[] = [];
  private stopTimer: (() => void) | undefined;

  constructor(
    private readonly timers: Timers,
    private readonly report: Report,
  ) {}

  add(look: () => boolean): void {
    this.looks.push(look);
    this.stopTimer ??= this.timers.every(LOOK_MS, () => this.round());
  }

  stop(): void {
    this.stopTimer?.();
    this.stopTimer = undefined;
  }

  private round(): void {
    const looks = this.looks;
    // Whoever is paused again while we look is added to the next round.
    this.looks = [];
    for (const look of looks) if (this.again(look)) this.looks.push(look);
    if (this.looks.length === 0) this.stop();
  }

  private again(look: () => boolean): boolean {
    try {
      return look();
    } catch (error) {
      this.report('watch', error);
      return false;
    }
  }
}
