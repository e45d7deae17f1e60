/** Bounds what Node holds for whoever has not yet asked for anything: in time for each, in number for one address. */
import type { Server } from 'node:http';
import { Unfinished } from './unfinished.js';

export interface ServerTimes {
  /** From the connection, or the request before, to the last header. */
  readonly headersTimeout: number;
  /** To the last byte of the body. */
  readonly requestTimeout: number;
  /** How often is looked, and so how much later than that it may be. */
  readonly connectionsCheckingInterval: number;
  /** Between two requests. */
  readonly keepAliveTimeout: number;
}

export const SERVER_TIMES: ServerTimes = {
  headersTimeout: 10_000,
  // Twelve MiB at 1.7 megabits a second.
  requestTimeout: 60_000,
  connectionsCheckingInterval: 1_000,
  // Longer than a proxy keeps what it does not use (nginx: 60 s), or it would send into what we just closed.
  keepAliveTimeout: 75_000,
};

/** To be called before the server listens. */
export const limitServer = (server: Server, most: number, times: ServerTimes = SERVER_TIMES): void => {
  Object.assign(server, times);
  const unfinished = new Unfinished(most);
  server.on('connection', (socket) => unfinished.opened(socket));
  server.on('request', (request, response) => unfinished.asked(request, response));
  server.on('upgrade', ({ socket }) => unfinished.upgraded(socket));
};
