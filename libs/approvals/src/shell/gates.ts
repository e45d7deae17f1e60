/** Tells runs which calls of a thread nobody has let be made, and writes the record when one was made all the same. */
import { shutCalls, type Shut, type ShutCall } from '../core/gates.js';
import type { Rider } from '../core/rider.js';
import { bypassNote } from '../core/trail.js';
import type { Desk } from './desk.js';

export interface ShutGate {
  readonly taskId: string;
  readonly why: Shut;
  /** The run that brings the no to its agent. */
  readonly toldIn?: string;
  /** The record, for the write that keeps what shows it; `runId`: where it was seen. */
  readonly raise: (runId: string) => Promise<readonly Rider[]>;
}

/** Batches of a thread that are searched; a call of an older one would have to be made very late. */
const MAX_SEARCHED = 20;

export class Gates {
  constructor(private readonly desk: Desk) {}

  /** By tool call id. */
  async shutIn(threadId: string): Promise<ReadonlyMap<string, ShutGate>> {
    const { store } = this.desk;
    const named = await store.batchesOf(threadId, MAX_SEARCHED);
    const loaded = await store.loadMany(named.map(({ batchId }) => batchId));
    const shut = shutCalls(loaded.map(({ batch }) => batch));
    return new Map([...shut].map(([call, found]) => [call, this.gateOf(found)]));
  }

  private gateOf(found: ShutCall): ShutGate {
    const { store } = this.desk;
    const { batch, task, why, toldIn } = found;
    return {
      taskId: task.taskId,
      why,
      ...(toldIn === undefined ? {} : { toldIn }),
      raise: async (runId) => {
        await store.expectRecord(batch, await store.now());
        return store.recordRiders(batch, [bypassNote(found, runId)]);
      },
    };
  }
}
