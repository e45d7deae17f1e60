/** Lends a client to streams: one of the caller's as it is, or one of our own that is connected while it is used. */
import { HubClient, type HubClientOptions } from '../hub-client.js';
import { systemClock } from '../adapters/clock.js';

/** A conversation goes on within seconds; a process that is done should not be kept alive for long, ms. */
const IDLE_MS = 5_000;

export interface ClientLease {
  readonly client: HubClient;
  /** Connects if need be. The answer gives the lease back; a second call does nothing. */
  take(): () => void;
  /** Disconnects now what was connected here. */
  close(): void;
}

export const lentClient = (client: HubClient): ClientLease => ({
  client,
  take: () => () => undefined,
  close: () => undefined,
});

export const ownClient = (options: HubClientOptions): ClientLease => {
  const client = new HubClient(options);
  const clock = options.clock ?? systemClock;
  let users = 0;
  let stopTimer = (): void => undefined;
  const giveBack = (): void => {
    users -= 1;
    if (users === 0) stopTimer = clock.later(IDLE_MS, () => client.stop());
  };
  return {
    client,
    take: () => {
      users += 1;
      stopTimer();
      client.start();
      let given = false;
      return () => {
        if (!given) giveBack();
        given = true;
      };
    },
    close: () => {
      stopTimer();
      client.stop();
    },
  };
};
