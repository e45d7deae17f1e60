/** Brings surface sockets up: every refusal before the upgrade is HTTP with a refusal's body, authentication ends before the first frame. */
import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { WsAdapter } from '@nestjs/platform-ws';
import type { Log } from '@triptych/platform';
import { refusal, SUBPROTOCOL, type Refusal, type Result } from '@triptych/protocol';
import type { ServerOptions, WebSocketServer } from 'ws';
import { refusalOf } from '../http/refusal-of.js';
import { refusalText, sayAndLeave } from '../http/refusal-text.js';

/** A request that was let through, with what was learned of it. */
export interface AdmittedRequest extends IncomingMessage {
  admitted?: unknown;
}

export interface SurfaceAdapterOptions {
  /** Judges an upgrade; the value is put on the request as `admitted`. */
  readonly admit: (request: IncomingMessage) => Promise<Result<unknown>>;
  /** Bytes a single frame may have. */
  readonly maxFrameBytes: number;
  readonly log: Log;
  /** Says good-bye to every socket. */
  readonly drain: () => Promise<void>;
}

/** Peers have this long to answer a good-bye before they are cut off. */
const FAREWELL_MS = 2_000;

interface PathServer extends WebSocketServer {
  path: string;
}

export class SurfaceAdapter extends WsAdapter {
  private stopListening = (): void => undefined;

  constructor(
    app: INestApplicationContext,
    private readonly surface: SurfaceAdapterOptions,
  ) {
    super(app);
  }

  override async dispose(): Promise<void> {
    this.stopListening();
    await super.dispose();
  }

  override create(port: number, options: Record<string, unknown> = {}): WebSocketServer {
    const socketOptions: ServerOptions = {
      maxPayload: this.surface.maxFrameBytes,
      // Shared frames are encoded once for all readers; compression would make them personal.
      perMessageDeflate: false,
      handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
    };
    return super.create(port, { ...socketOptions, ...options } as never) as unknown as WebSocketServer;
  }

  override async close(server: WebSocketServer): Promise<void> {
    await this.surface.drain();
    const left = [...server.clients].map((client) => once(client, 'close'));
    await Promise.race([Promise.all(left), pause(FAREWELL_MS, undefined, { ref: false })]);
    await super.close(server as never);
  }

  /** Frames are read by the session itself; Nest's own routing drops what it does not know without a word. */
  override bindMessageHandlers(): void {}

  override bindErrorHandler(server: WebSocketServer): WebSocketServer {
    const note = (error: Error): void => this.surface.log.info('socket.error', { why: error.message });
    server.on('connection', (socket) => void socket.on('error', note));
    server.on('error', (error) => this.surface.log.error('socket.server-failed', { error }));
    return server;
  }

  protected override ensureHttpServerExists(port: number, httpServer?: Server): Server | undefined {
    if (!httpServer || this.httpServersRegistry.has(port)) return undefined;
    this.httpServersRegistry.set(port, httpServer);
    const listener = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
      // Without a listener an early RST would end the process.
      socket.on('error', destroyIt);
      this.upgrade(port, { request, socket, head }).catch((error: unknown) =>
        refuseUpgrade(socket, refusalOf(error, this.surface.log, { upgrade: pathOf(request) })),
      );
    };
    httpServer.on('upgrade', listener);
    this.stopListening = () => httpServer.off('upgrade', listener);
    return httpServer;
  }

  private async upgrade(port: number, { request, socket, head }: Upgrade): Promise<void> {
    const path = pathOf(request);
    const servers = (this.wsServersRegistry.get(port) ?? []) as unknown as PathServer[];
    const server = servers.find((candidate) => candidate.path === path);
    if (!server) return refuseUpgrade(socket, refusal('NOT_FOUND'));
    const admitted = await this.surface.admit(request);
    if (!admitted.ok) return refuseUpgrade(socket, admitted.refusal);
    (request as AdmittedRequest).admitted = admitted.value;
    server.handleUpgrade(request, socket, head, (client) => server.emit('connection', client, request));
  }
}

interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** Named here, and not where it is used: there it would keep the request alive as long as its socket lives. */
function destroyIt(this: Duplex): void {
  this.destroy();
}

const pathOf = (request: IncomingMessage): string => (request.url ?? '/').split('?', 1)[0] ?? '/';

const refuseUpgrade = (socket: Duplex, no: Refusal): void => {
  if (socket.destroyed) return;
  sayAndLeave(socket, refusalText(no));
};
