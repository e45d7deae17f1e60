/** Finds loopback ports on which a server can also come back after a crash. */
import { once } from 'node:events';
import net from 'node:net';

// Below the ephemeral ranges of Linux (32768 up) and macOS (49152 up): a client that keeps knocking at a dead
// server's ephemeral port can be handed that very port, connect to itself, and so keep the server from returning.
const FIRST_PORT = 20_000;
const LAST_PORT = 32_767;
/** Random tries before giving up; with half the range in use, all fail once in four thousand million. */
const MAX_TRIES = 32;

/** True when a server could listen there now. */
export const isFree = async (port, host = '127.0.0.1') => {
  const probe = net.createServer();
  try {
    await once(probe.listen({ port, host, exclusive: true }), 'listening');
    return true;
  } catch (error) {
    if (error.code === 'EADDRINUSE' || error.code === 'EACCES') return false;
    throw error;
  } finally {
    if (probe.listening) await new Promise((closed) => probe.close(closed));
  }
};

const anyPort = () => FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT + 1));

/** A free loopback port, the wished one if it is free. */
export const freePort = async (wished) => {
  for (let tried = 0; tried < MAX_TRIES; tried++) {
    const port = tried === 0 && wished ? wished : anyPort();
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port found between ${FIRST_PORT} and ${LAST_PORT} on 127.0.0.1.`);
};
