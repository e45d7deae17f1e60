/** The plain AG-UI socket: one input in, its events out. */
import { Inject } from '@nestjs/common';
import { type OnGatewayConnection, WebSocketGateway } from '@nestjs/websockets';
import { PLAIN_SUBPROTOCOL } from '@triptych/protocol';
import type { WebSocket } from 'ws';
import type { AdmittedRequest } from '../sockets/surface-adapter.js';
import { AguiDoor } from './agui-door.js';
import { AGUI_PATH, type AdmittedPlain } from './agui-upgrade.js';

const choosePlain = (offered: ReadonlySet<string>): string | false =>
  offered.has(PLAIN_SUBPROTOCOL) ? PLAIN_SUBPROTOCOL : false;

@WebSocketGateway({ path: AGUI_PATH, handleProtocols: choosePlain })
export class AguiGateway implements OnGatewayConnection {
  constructor(@Inject(AguiDoor) private readonly door: AguiDoor) {}

  handleConnection(socket: WebSocket, request: AdmittedRequest): void {
    this.door.open(socket, request.admitted as AdmittedPlain);
  }
}
