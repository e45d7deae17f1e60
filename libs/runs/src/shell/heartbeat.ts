/** Keeps a run's lease alive while it is carried, and hears of cancels and of more time. */
import { isStoreAway } from '@triptych/protocol';
import type { Renewal, RunLedger } from '../core/ledger.js';
import type { Lease } from '../core/run-record.js';

/** A quarter of the lease: three renewals may fail before it is lost. */
export const RENEW_MS = 1_000;

export interface Beating {
  readonly ledger: RunLedger;
  readonly onCancel: () => void;
  readonly onLost: () => void;
  /** So many milliseconds more than it was given before. */
  readonly onProlonged: (ms: number) => void;
  readonly onError: (error: unknown) => void;
}

/** Starts beating; answers the stop. What is heard after the stop does not count: an end frees the lease by itself. */
export const startHeartbeat = (
  lease: Lease,
  { ledger, onCancel, onLost, onProlonged, onError }: Beating,
): (() => void) => {
  let beating = false;
  let stopped = false;
  let given = 0;
  const heed = (renewal: Renewal): void => {
    if (renewal.is === 'lost') return onLost();
    if (renewal.is === 'cancel') onCancel();
    if (renewal.extraMs > given) onProlonged(renewal.extraMs - given);
    given = renewal.extraMs;
  };
  const beat = async (): Promise<void> => {
    if (beating) return;
    beating = true;
    try {
      const renewal = await ledger.renew(lease);
      if (!stopped) heed(renewal);
    } catch (error) {
      // While the store is away nobody else can take the run either; the writer's grace time decides.
      if (!isStoreAway(error)) onError(error);
    } finally {
      beating = false;
    }
  };
  const timer = setInterval(() => void beat(), RENEW_MS);
  return () => {
    stopped = true;
    clearInterval(timer);
  };
};
