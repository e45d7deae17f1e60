/** Keeps every destination in step with its tasks: what changed is looked at, what is behind is shown. */
import { Lanes } from './lanes.js';
import { Lookout } from './lookout.js';
import type { NotifyDesk } from './notify-desk.js';
import { Showing } from './showing.js';

export class Notifier {
  private readonly lookout: Lookout;
  private readonly lanes: Lanes;

  constructor(private readonly desk: NotifyDesk) {
    this.lookout = new Lookout(desk);
    this.lanes = new Lanes(desk, new Showing(desk), this.lookout);
  }

  /** There is anything to be told at all. */
  get isWanted(): boolean {
    return this.desk.bridges.destinations.size > 0;
  }

  /** A batch changed just now. */
  async heard(batchId: string): Promise<void> {
    await this.lookout.look(batchId);
  }

  /** What was announced and nobody heard of; then the lanes that nobody knocked at. */
  async round(): Promise<readonly string[]> {
    while (await this.lookout.round());
    return this.lanes.forgotten();
  }

  work(destination: string): Promise<void> {
    return this.lanes.work(destination);
  }

  stop(): void {
    this.lanes.stop();
  }
}
