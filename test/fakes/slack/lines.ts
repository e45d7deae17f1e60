/** Socket Mode: addresses that are good once, connections that greet, envelopes that wait for their acknowledgement. */
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket, WebSocketServer } from 'ws';
import type { Members } from './answers.js';
import { APP } from './world.js';

export const APP_TOKEN = 'xapp-fake';
const PATH = '/link';
const ACK_WITHIN_MS = 3_000;

export class Lines {
  readonly open = new Set<WebSocket>();
  /** Addresses that were given out and not used. */
  private readonly tickets = new Set<string>();
  private readonly waiting = new Map<string, (ack: Members) => void>();
  private readonly sockets = new WebSocketServer({ noServer: true });

  constructor(server: Server) {
    server.on('upgrade', (request, socket, head) => {
      const ticket = new URL(request.url ?? '', 'http://slack').searchParams.get('ticket') ?? '';
      if (!this.tickets.delete(ticket)) return void socket.destroy();
      this.sockets.handleUpgrade(request, socket, head, (line) => this.greet(line));
    });
  }

  /** What `apps.connections.open` gives. */
  newUrl(base: string): string {
    const ticket = randomUUID();
    this.tickets.add(ticket);
    return `${base.replace('http', 'ws')}${PATH}?ticket=${ticket}`;
  }

  /** On one of the lines that are open; undefined: nobody acknowledged it in time. */
  async send(type: string, payload: Members, id: string = randomUUID()): Promise<Members | undefined> {
    const [line] = this.open;
    if (!line) return undefined;
    const acked = new Promise<Members>((resolve) => this.waiting.set(id, resolve));
    line.send(JSON.stringify({ envelope_id: id, type, payload, accepts_response_payload: true }));
    return Promise.race([acked, pause(ACK_WITHIN_MS, undefined, { ref: false })]);
  }

  /** As Slack does before it takes a server away, or when the mode is switched off. */
  disconnect(reason: 'warning' | 'refresh_requested' | 'link_disabled'): void {
    for (const line of this.open) line.send(JSON.stringify({ type: 'disconnect', reason }));
  }

  stop(): void {
    for (const line of this.open) line.terminate();
  }

  private greet(line: WebSocket): void {
    this.open.add(line);
    line.on('close', () => this.open.delete(line));
    line.on('error', () => undefined);
    line.on('message', (bytes: Buffer) => {
      const ack = JSON.parse(bytes.toString()) as { envelope_id: string; payload?: Members };
      this.waiting.get(ack.envelope_id)?.(ack.payload ?? {});
    });
    line.send(
      JSON.stringify({ type: 'hello', num_connections: this.open.size, connection_info: { app_id: APP } }),
    );
  }
}
