/** The connections that owe us a whole request, by address; where there are too many the one that owes it longest goes. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

export class Unfinished {
  /** In the order in which they began to owe. */
  private readonly owing = new Map<string, Set<Socket>>();
  /** Whole requests of a connection that were not answered yet. */
  private readonly answering = new WeakMap<Socket, number>();
  /** What is to be done when one of them closes. */
  private readonly farewells = new WeakMap<Socket, () => void>();

  constructor(private readonly most: number) {}

  opened(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    this.owes(socket, address);
    // A connection that is gone has no address any more.
    const farewell = (): void => this.settled(socket, address);
    this.farewells.set(socket, farewell);
    socket.on('close', farewell);
  }

  asked(request: IncomingMessage, response: ServerResponse): void {
    if (!hasBody(request)) return this.whole(request.socket, response);
    request.once('end', () => this.whole(request.socket, response));
  }

  /** It owes nothing ever again, and lives long: nothing of ours stays with it. */
  upgraded(socket: Socket): void {
    const farewell = this.farewells.get(socket);
    if (farewell === undefined) return;
    farewell();
    socket.off('close', farewell);
    this.farewells.delete(socket);
  }

  private whole(socket: Socket, response: ServerResponse): void {
    // Refused before all of it came: nothing is to be answered any more.
    if (response.closed) return;
    this.settled(socket, socket.remoteAddress ?? '');
    this.answering.set(socket, (this.answering.get(socket) ?? 0) + 1);
    response.once('close', () => this.answered(socket));
  }

  private answered(socket: Socket): void {
    const left = (this.answering.get(socket) ?? 1) - 1;
    this.answering.set(socket, left);
    if (left === 0 && !socket.destroyed) this.owes(socket, socket.remoteAddress ?? '');
  }

  private owes(socket: Socket, address: string): void {
    const those = this.owing.get(address) ?? new Set();
    this.owing.set(address, those.add(socket));
    if (those.size <= this.most) return;
    const [oldest] = those;
    if (oldest === undefined) return;
    this.settled(oldest, address);
    oldest.destroy();
  }

  private settled(socket: Socket, address: string): void {
    const those = this.owing.get(address);
    those?.delete(socket);
    if (those?.size === 0) this.owing.delete(address);
  }
}
