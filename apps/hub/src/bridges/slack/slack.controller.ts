/** The HTTP door of Slack: what people do with cards and modals, and what Slack tells of by itself. */
import type { IncomingHttpHeaders } from 'node:http';
import { Body, Controller, Headers, HttpCode, Inject, Post } from '@nestjs/common';
import type { SlackSigned } from '@triptych/bridges';
import { PublicDoor } from '../../identity/caller.js';
import { SlackDoor } from './slack-door.js';
import { SlackEvents } from './slack-events.js';

/** A request without a body has none to read. */
const signedIn = (body: unknown, headers: IncomingHttpHeaders): SlackSigned => ({
  body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
  timestamp: headers['x-slack-request-timestamp'],
  signature: headers['x-slack-signature'],
});

@Controller('v1/bridges/slack')
@PublicDoor()
export class SlackController {
  constructor(
    @Inject(SlackDoor) private readonly door: SlackDoor,
    @Inject(SlackEvents) private readonly events: SlackEvents,
  ) {}

  @Post('interactions')
  @HttpCode(200)
  interact(@Body() body: unknown, @Headers() headers: IncomingHttpHeaders) {
    return this.door.interact(signedIn(body, headers));
  }

  @Post('events')
  @HttpCode(200)
  hear(@Body() body: unknown, @Headers() headers: IncomingHttpHeaders) {
    return this.events.hear(signedIn(body, headers));
  }
}
