/** The three sockets, one a surface. */
import { Inject } from '@nestjs/common';
import { type OnGatewayConnection, WebSocketGateway } from '@nestjs/websockets';
import type { WebSocket } from 'ws';
import type { AdmittedRequest } from './surface-adapter.js';
import { SocketDoor } from './socket-door.js';

@WebSocketGateway({ path: '/ws/customer' })
export class CustomerGateway implements OnGatewayConnection {
  constructor(@Inject(SocketDoor) private readonly door: SocketDoor) {}

  handleConnection(socket: WebSocket, request: AdmittedRequest): void {
    this.door.open(socket, request);
  }
}

@WebSocketGateway({ path: '/ws/reviewer' })
export class ReviewerGateway implements OnGatewayConnection {
  constructor(@Inject(SocketDoor) private readonly door: SocketDoor) {}

  handleConnection(socket: WebSocket, request: AdmittedRequest): void {
    this.door.open(socket, request);
  }
}

@WebSocketGateway({ path: '/ws/operator' })
export class OperatorGateway implements OnGatewayConnection {
  constructor(@Inject(SocketDoor) private readonly door: SocketDoor) {}

  handleConnection(socket: WebSocket, request: AdmittedRequest): void {
    this.door.open(socket, request);
  }
}
