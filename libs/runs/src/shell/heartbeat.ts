/** Keeps a run's lease alive while it is carried, and hears of cancels. */
import { isStoreAway } from '@triptych/protocol';
import type { RunLedger } from '../core/ledger.js';
import type { Lease } from '../core/run-record.js';

/** A quarter of the lease: three renewals may fail before it is lost. */
export const RENEW_MS = 1_000;

interface Heartbeat {
  readonly ledger: RunLedger;
  readonly lease: Lease;
  readonly onCancel: () => void;
  readonly onLost: () => void;
  readonly onError: (error: unknown) => void;
}

/** Starts beating; answers the stop. */
export const startHeartbeat = ({ ledger, lease, onCancel, onLost, onError }: Heartbeat): (() => void) => {
  let beating = false;
  const beat = async (): Promise<void> => {
    if (beating) return;
    beating = true;
    try {
      const renewal = await ledger.renew(lease);
      if (renewal === 'cancel') onCancel();
      if (renewal === 'lost') onLost();
    } catch (error) {
      // While the store is away nobody else can take the run either; the writer's grace time decides.
      if (!isStoreAway(error)) onError(error);
    } finally {
      beating = false;
    }
  };
  const timer = setInterval(() => void beat(), RENEW_MS);
  return () => clearInterval(timer);
};
