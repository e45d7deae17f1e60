/** Says when a thread's model has outgrown its bound, without walking it at every event. */
import { modelBytes, type Model } from '@triptych/protocol';

/** The model is walked again after this many characters: its bound may be passed by as much. */
const MEASURE_EVERY = 256 * 1024;

export class Growth {
  private unmeasured = Number.POSITIVE_INFINITY;

  constructor(private readonly maxBytes: number) {}

  isTooLarge(model: Model, added: readonly { readonly json: string }[]): boolean {
    this.unmeasured += added.reduce((sum, { json }) => sum + json.length, 0);
    if (this.unmeasured < MEASURE_EVERY) return false;
    this.unmeasured = 0;
    return modelBytes(model) > this.maxBytes;
  }
}
