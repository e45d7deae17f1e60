/** The door for decisions that programs bring, signed. */
import type { IncomingMessage } from 'node:http';
import { Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import { PublicDoor } from '../identity/caller.js';
import { DecisionDesk } from './decision-desk.js';

const NOTHING = Buffer.alloc(0);

@Controller('v1/bridges/decisions')
export class DecisionsController {
  constructor(@Inject(DecisionDesk) private readonly desk: DecisionDesk) {}

  @Post()
  @PublicDoor()
  @HttpCode(200)
  decide(@Req() { headers, socket, body }: IncomingMessage & { readonly body?: unknown }) {
    return this.desk.decide({ headers, socket, body: Buffer.isBuffer(body) ? body : NOTHING });
  }
}
