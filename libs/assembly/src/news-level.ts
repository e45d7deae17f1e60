/** Says how loud a piece of news from the capabilities is in the log. */
import type { Log } from '@triptych/platform';

/** Somebody should look, but what is wrong is mended or was somebody else's doing. */
const WARNINGS: ReadonlySet<string> = new Set([
  'run.agent-unavailable',
  'run.heartbeat-failed',
  'run.lease-lost',
  'run.lost',
  'run.protocol-violation',
  'approvals.index-late',
  'approvals.knock-failed',
  'approvals.release-late',
]);

/** What approvals and their trail are there to prevent seems to have happened. */
const ALARMS: ReadonlySet<string> = new Set(['run.gate-bypass', 'audit.tail-lost']);

export const levelOf = (event: string): 'info' | 'warn' | 'error' => {
  if (WARNINGS.has(event)) return 'warn';
  if (ALARMS.has(event)) return 'error';
  return event.endsWith('failed') ? 'error' : 'info';
};

export const newsTo =
  (log: Log) =>
  (event: string, fields: Readonly<Record<string, unknown>>): void =>
    log[levelOf(event)](event, fields);
