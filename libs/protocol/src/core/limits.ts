/** The bounds on what is taken in, each with its reason. */
const MIB = 1024 * 1024;

/** UTF-8 bytes of one event's JSON text: a delta is small, anything larger is a mistake or an attack. */
export const MAX_EVENT_BYTES = MIB;

/** UTF-8 bytes of the events that carry a whole conversation or state; below the 8 MiB of one frame. */
export const MAX_SNAPSHOT_BYTES = 7 * MIB;

/** Containers within each other, the event or input itself counted: walking JSON must never exhaust a stack. */
export const MAX_DEPTH = 64;

/** Operations of one JSON Patch: each may copy a path of the document. */
export const MAX_PATCH_OPS = 5_000;

/** Interrupts of one run: each becomes a task that a person must answer. */
export const MAX_INTERRUPTS = 200;

/** What one event of a stream may be. */
export interface EventLimits {
  readonly bytes: number;
  /** For the events that carry a whole conversation or state. */
  readonly snapshotBytes: number;
  readonly depth: number;
  readonly patchOps: number;
  readonly interrupts: number;
}

/** Characters that one patch may copy, or move to a deeper place: copying doubles at every step. */
export const MAX_COPIED = 7 * MIB;

/** Elements of lists that one patch may shift along by what it puts in and takes out: a tenth of a second's work. */
export const MAX_SHIFTED = 64 * MIB;

/** `CUSTOM` events kept for those who join later. */
export const MAX_KEPT_CUSTOM = 200;

/** JSON bytes of the `CUSTOM` events kept; with the largest model a join prelude still fits one frame of 8 MiB. */
export const MAX_KEPT_CUSTOM_BYTES = 768 * 1024;

/** Finished steps kept for those who join later. */
export const MAX_KEPT_STEPS = 200;
