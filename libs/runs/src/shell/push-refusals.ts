/** Keeps for the operator what a producer pushed and the log has no place for. */
import { refusedRider } from '../adapters/refused-events.js';
import type { Rider } from '../core/ports.js';
import { GateWatch } from './gate-watch.js';
import type { PushDeps } from './push-desk.js';
import type { PushAt } from './push-standing.js';
import type { PushFault } from './push-tally.js';

/** With the alarm where one of them holds a result: that it was refused undoes no deed. */
export const refusalRiders = async (
  deps: PushDeps,
  { tally, desk, now }: PushAt,
  { what: { rule, message }, texts }: { readonly what: PushFault; readonly texts: readonly string[] },
): Promise<readonly Rider[]> => {
  const { thread } = tally.request;
  const runId = now.producer?.run ?? now.active?.runId ?? '';
  const watch = new GateWatch({ ...deps, storeGraceMs: 0 }, { thread, runId });
  return [
    ...texts.map((text) => refusedRider(thread, { rule, message, text, at: now.now })),
    ...(await watch.refused(desk.model, texts)),
  ];
};
