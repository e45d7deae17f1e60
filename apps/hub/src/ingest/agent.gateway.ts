/** The socket for agents that come by themselves. */
import { Inject } from '@nestjs/common';
import { type OnGatewayConnection, WebSocketGateway } from '@nestjs/websockets';
import type { WebSocket } from 'ws';
import type { AdmittedRequest } from '../sockets/surface-adapter.js';
import { AgentDoor } from './agent-door.js';
import { AGENT_PATH, type AdmittedAgent } from './agent-upgrade.js';

@WebSocketGateway({ path: AGENT_PATH })
export class AgentGateway implements OnGatewayConnection {
  constructor(@Inject(AgentDoor) private readonly door: AgentDoor) {}

  handleConnection(socket: WebSocket, request: AdmittedRequest): void {
    this.door.open(socket, request.admitted as AdmittedAgent);
  }
}
