/** Ends a pushed run whose agent let its time go by. */
import type { ThreadId } from '@triptych/protocol';
import { lapseOf, nextLapse } from '../core/push-hold.js';
import type { RunAgent } from '../core/ports.js';
import type { HeldPush, PushNow } from '../core/push-store.js';
import { deskFor, type PushDeps } from './push-desk.js';
import { heldIn } from './push-offers.js';

const NO_PRODUCER = '';

export interface Looked {
  /** It has ended here and now. */
  readonly ended: boolean;
  /** When it is worth another look, ms from now; absent: there is no run to end. */
  readonly next?: number;
}

export const endIfLapsed = async (
  deps: PushDeps,
  thread: ThreadId,
  agentOf: (agentId: string) => RunAgent | undefined,
): Promise<Looked> => {
  const now = await deps.pushes.read(thread, NO_PRODUCER);
  const held = heldIn(now, now.active?.runId ?? '');
  if (!held) {
    await forgetUnlessBegun(deps, thread);
    return { ended: false };
  }
  const lapse = lapseOf(held.hold, held.cancelled, now.now);
  if (lapse === undefined) {
    const next = nextLapse(held.hold);
    await deps.pushes.lookAgain(thread, next);
    return { ended: false, next: next - now.now };
  }
  const idempotent = agentOf(now.thread?.agentId ?? '')?.idempotent ?? false;
  await end({ deps, thread, now, held, lapse }, idempotent);
  return { ended: true };
};

interface Ending {
  readonly deps: PushDeps;
  readonly thread: ThreadId;
  readonly now: PushNow;
  readonly held: HeldPush;
  readonly lapse: NonNullable<ReturnType<typeof lapseOf>>;
}

const end = async ({ deps, thread, now, held, lapse }: Ending, idempotent: boolean): Promise<void> => {
  const desk = await deskFor(deps, { thread, now, agent: { idempotent } }, undefined);
  const { log, writer } = desk;
  if (!writer) return;
  deps.report('run.lost', { thread, run: held.runId, why: lapse, started: held.started, sent: held.sent });
  log.marking({}, deps.pushes.holdGuards(thread, held));
  if (writer.run.record.resumes !== undefined && !held.sent && !held.started) await writer.forget(lapse);
  else await writer.fail(lapse);
};

/** A run may begin, or an event wait, between the look and the forgetting: looked at once more. */
const forgetUnlessBegun = async (deps: PushDeps, thread: ThreadId): Promise<void> => {
  await deps.pushes.lookAgain(thread, undefined);
  const { active } = await deps.pushes.read(thread, NO_PRODUCER);
  const { waiting } = await deps.pushes.waitingIn(thread);
  if (active?.hold || waiting.length > 0) await deps.pushes.watch(thread);
};
